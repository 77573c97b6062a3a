import type { Logger } from "@aiplatform/service-host";
import type { DeploymentsConfig } from "../../config.ts";
import type { ServingDriver } from "../serving-driver.ts";
import { Cluster } from "./cluster.ts";
import { KubernetesDriver } from "./kubernetes-driver.ts";
import { startVersionFiles, type VersionFilesParts } from "./version-files.ts";
import type { Placement } from "./version-objects.ts";

/** What the driver is made of. */
export interface KubernetesSurroundings extends Pick<VersionFilesParts, "artifacts" | "versions"> {
  config: DeploymentsConfig;
  logger: Logger;
}

const requestTimeoutMs = 10_000;
/** The cluster gives up on a rollout so long before the controller does, whose word would name no cause. */
const aheadSeconds = 5;
const leastDeadlineSeconds = 5;

/** The driver with the server that pods fetch their files from. Rejects when the cluster's configuration cannot be read. */
export async function createKubernetesDriver(surroundings: KubernetesSurroundings): Promise<ServingDriver> {
  const { config, logger, artifacts, versions } = surroundings;
  const { HOST: host, SERVING_FILES_PORT: port, KUBERNETES_NAMESPACE: namespace, KUBECONFIG: kubeconfig } = config;
  const cluster = await Cluster.connect({ namespace, kubeconfig, timeoutMs: requestTimeoutMs });
  const files = await startVersionFiles({ artifacts, versions, logger, host, port });
  return new KubernetesDriver({ cluster, placement: placementOf(config), logger, files });
}

function placementOf(config: DeploymentsConfig): Placement {
  return {
    image: config.SERVING_IMAGE ?? "",
    filesUrl: config.SERVING_FILES_URL ?? "",
    cpuRequest: config.KUBERNETES_CPU_REQUEST,
    mostPredictionBytes: config.MAX_PREDICTION_BYTES,
    progressDeadlineSeconds: Math.max(
      leastDeadlineSeconds,
      Math.floor(config.ROLLOUT_TIMEOUT_MS / 1000) - aheadSeconds,
    ),
  };
}
