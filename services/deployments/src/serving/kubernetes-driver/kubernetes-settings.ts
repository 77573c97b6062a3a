import { defineSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** What the Kubernetes driver is told; none of it is read by the other one. */
export const kubernetesSettings = defineSettings({
  SERVING_IMAGE: setting.text({
    optional: true,
    says: "Kubernetes: image of the serving runtime, with a tag or a digest; needed.",
  }),
  SERVING_FILES_URL: setting.url({
    optional: true,
    says: "Kubernetes: where pods reach SERVING_FILES_PORT of any replica, such as `http://deployments:8081`; needed.",
  }),
  SERVING_FILES_PORT: setting.port({
    default: 8_081,
    says: "Kubernetes: port on which pods fetch the files of their version, each with that version's token.",
  }),
  KUBERNETES_NAMESPACE: setting.text({
    default: "aiplatform-serving",
    says: "Kubernetes: namespace for instances, and for nothing else.",
  }),
  KUBECONFIG: setting.text({
    optional: true,
    says: "Kubernetes: file that says where the cluster is; unset: the service account of the pod that this runs in.",
  }),
  KUBERNETES_CPU_REQUEST: setting.text({
    default: "100m",
    says: "Kubernetes: share of a processor that is kept for each instance.",
  }),
});

const needed = ["SERVING_IMAGE", "SERVING_FILES_URL"] as const;

/** What is missing where pods are to serve: each problem completes a sentence. */
export function missingForKubernetes(
  config: SettingsValues<typeof kubernetesSettings> & { SERVING_DRIVER: string },
): readonly string[] {
  if (config.SERVING_DRIVER !== "kubernetes") return [];
  return needed
    .filter((name) => config[name] === undefined)
    .map((name) => `${name} is not set, and SERVING_DRIVER=kubernetes needs it`);
}
