import { defineSettings, type SettingsValues, setting, type TlsConfig } from "@aiplatform/service-host";

/** What the Kubernetes driver is told; none of it is read by the other one. */
export const kubernetesSettings = defineSettings({
  SERVING_IMAGE: setting.text({
    optional: true,
    description: "Kubernetes: image of the serving runtime, with a tag or a digest; needed.",
  }),
  SERVING_FILES_URL: setting.url({
    optional: true,
    description:
      "Kubernetes: where pods reach SERVING_FILES_PORT of any replica, such as `http://deployments:8081`; needed.",
  }),
  SERVING_FILES_PORT: setting.port({
    default: 8_081,
    description: "Kubernetes: port on which pods fetch the files of their version, each with that version's token.",
  }),
  SERVING_FILES_TLS: setting.flag({
    default: false,
    description:
      "Kubernetes: whether SERVING_FILES_PORT takes TLS alone, with the certificate of TLS_CERT_FILE; pods then believe the authorities of TLS_CA_FILE, and SERVING_FILES_URL is https.",
  }),
  KUBERNETES_NAMESPACE: setting.text({
    default: "aiplatform-serving",
    description: "Kubernetes: namespace for instances, and for nothing else.",
  }),
  KUBECONFIG: setting.text({
    optional: true,
    description:
      "Kubernetes: file that says where the cluster is; unset: the service account of the pod that this runs in.",
  }),
  KUBERNETES_CPU_REQUEST: setting.text({
    default: "100m",
    description: "Kubernetes: share of a processor that is kept for each instance.",
  }),
  KUBERNETES_CPU_LIMIT: setting.text({
    default: "4",
    description: "Kubernetes: processors that an instance uses at most, such as `2` or `500m`.",
  }),
  KUBERNETES_RUNTIME_CLASS: setting.text({
    optional: true,
    description:
      "Kubernetes: RuntimeClass of instances, such as one of gVisor or Kata Containers; unset: the cluster's default.",
  }),
});

/** The settings that the driver reads: its own, and some of the service's. */
export interface KubernetesConfig extends SettingsValues<typeof kubernetesSettings>, TlsConfig {
  HOST: string;
  MAX_PREDICTION_BYTES: number;
  ROLLOUT_TIMEOUT_MS: number;
}

const needed = ["SERVING_IMAGE", "SERVING_FILES_URL"] as const;

/** What is missing where pods are to serve: each problem completes a sentence. */
export function missingForKubernetes(
  config: SettingsValues<typeof kubernetesSettings> & TlsConfig & { SERVING_DRIVER: string },
): readonly string[] {
  if (config.SERVING_DRIVER !== "kubernetes") return [];
  const missing = needed
    .filter((name) => config[name] === undefined)
    .map((name) => `${name} is not set, and SERVING_DRIVER=kubernetes needs it`);
  return [...missing, ...missingForTls(config)];
}

function missingForTls(config: SettingsValues<typeof kubernetesSettings> & TlsConfig): string[] {
  if (!config.SERVING_FILES_TLS) return [];
  const { TLS_CERT_FILE, SERVING_FILES_URL = "https:" } = config;
  const isSecure = SERVING_FILES_URL.startsWith("https:");
  return [
    ...(TLS_CERT_FILE ? [] : ["TLS_CERT_FILE is not set, and SERVING_FILES_TLS needs it"]),
    ...(isSecure ? [] : ["SERVING_FILES_URL must be an https URL, because SERVING_FILES_TLS is set"]),
  ];
}
