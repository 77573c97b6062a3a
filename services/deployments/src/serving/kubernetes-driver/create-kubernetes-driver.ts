import type { Logger } from "@aiplatform/service-host";
import type { ServingDriver } from "../serving-driver.ts";
import { Cluster } from "./cluster.ts";
import { KubernetesDriver } from "./kubernetes-driver.ts";
import type { KubernetesConfig } from "./kubernetes-settings.ts";
import { startVersionFiles, type VersionFilesDependencies } from "./version-files.ts";
import type { Placement } from "./version-objects.ts";

interface Dependencies extends Pick<VersionFilesDependencies, "artifacts" | "versions"> {
  config: KubernetesConfig;
  logger: Logger;
}

const requestTimeoutMs = 10_000;
/** The cluster gives up on a rollout so long before the reconciler does, whose word would name no cause. */
const aheadSeconds = 5;
const minDeadlineSeconds = 5;

/**
 * The driver with the server that pods fetch their files from.
 * @throws when the cluster's configuration cannot be read
 */
export async function createKubernetesDriver(dependencies: Dependencies): Promise<ServingDriver> {
  const { config, logger, artifacts, versions } = dependencies;
  const { HOST: host, SERVING_FILES_PORT: port, KUBERNETES_NAMESPACE: namespace, KUBECONFIG: kubeconfig } = config;
  const cluster = await Cluster.connect({ namespace, kubeconfig, timeoutMs: requestTimeoutMs });
  const files = await startVersionFiles({ artifacts, versions, logger, host, port });
  return new KubernetesDriver({ cluster, placement: placementOf(config), logger, files });
}

function placementOf(config: KubernetesConfig): Placement {
  return {
    image: config.SERVING_IMAGE ?? "",
    filesUrl: config.SERVING_FILES_URL ?? "",
    cpuRequest: config.KUBERNETES_CPU_REQUEST,
    cpuLimit: config.KUBERNETES_CPU_LIMIT,
    runtimeClass: config.KUBERNETES_RUNTIME_CLASS,
    maxPredictionBytes: config.MAX_PREDICTION_BYTES,
    progressDeadlineSeconds: Math.max(minDeadlineSeconds, Math.floor(config.ROLLOUT_TIMEOUT_MS / 1000) - aheadSeconds),
  };
}
