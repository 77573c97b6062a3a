import { type Logger, WatchedCertificate } from "@aiplatform/service-host";
import type { ServingDriver } from "../serving-driver.ts";
import type { ServingTls } from "../serving-tls.ts";
import { Cluster } from "./cluster.ts";
import { KubernetesDriver } from "./kubernetes-driver.ts";
import type { KubernetesConfig } from "./kubernetes-settings.ts";
import { startVersionFiles, type VersionFilesDependencies } from "./version-files.ts";

interface Dependencies extends Pick<VersionFilesDependencies, "artifacts" | "versions"> {
  config: KubernetesConfig;
  logger: Logger;
  /** Absent: instances are without TLS. */
  tls?: ServingTls | undefined;
}

const requestTimeoutMs = 10_000;
/** The cluster gives up on a rollout so long before the reconciler does, whose word would name no cause. */
const aheadSeconds = 5;
const minDeadlineSeconds = 5;

/**
 * The driver with the server that pods fetch their files from.
 * @throws when the cluster's configuration or a certificate cannot be read
 */
export async function createKubernetesDriver(dependencies: Dependencies): Promise<ServingDriver> {
  const { config, logger, artifacts, versions, tls } = dependencies;
  const { HOST: host, SERVING_FILES_PORT: port, KUBERNETES_NAMESPACE: namespace, KUBECONFIG: kubeconfig } = config;
  const cluster = await Cluster.connect({ namespace, kubeconfig, timeoutMs: requestTimeoutMs });
  const certificate = filesCertificateOf(config, logger);
  const files = await startVersionFiles({ artifacts, versions, logger, host, port, certificate });
  return new KubernetesDriver({ cluster, placement: placementOf(config), logger, shared: { tls, certificate }, files });
}

/** That of calls between services, which is of this process alone: what instances have is in the hands of their code. */
function filesCertificateOf(config: KubernetesConfig, logger: Logger): WatchedCertificate | undefined {
  const { SERVING_FILES_TLS, TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_CA_FILE: ca } = config;
  if (!SERVING_FILES_TLS || !cert || !key || !ca) return undefined;
  const files = {
    cert: { setting: "TLS_CERT_FILE", path: cert },
    key: { setting: "TLS_KEY_FILE", path: key },
    ca: { setting: "TLS_CA_FILE", path: ca },
  };
  return new WatchedCertificate(files, { use: "files of versions", minVersion: "TLSv1.3", logger });
}

function placementOf(config: KubernetesConfig) {
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
