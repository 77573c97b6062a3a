import { InstallError, KubectlError } from "./errors.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Manifest } from "./manifest.ts";

/** Oldest Kubernetes that the manifests are made for, as `[major, minor]`. */
const oldest = [1, 30] as const;

/** API group that is not Kubernetes' own → what brings it. */
const bringers: Readonly<Record<string, string>> = {
  "cert-manager.io": "cert-manager (https://cert-manager.io/docs/installation/)",
  "gateway.networking.k8s.io": "the Gateway API (https://gateway-api.sigs.k8s.io/guides/)",
  "monitoring.coreos.com":
    "the Prometheus operator (https://prometheus-operator.dev/docs/getting-started/installation/)",
};

/**
 * Whether kubectl was told of a cluster. Without one it asks localhost:8080, where this platform's own gateway may answer.
 * @throws InstallError when it was not
 */
export async function assertClusterChosen(kubectl: Kubectl, env: NodeJS.ProcessEnv): Promise<void> {
  // In a pod kubectl talks to the cluster around it.
  if (env["KUBERNETES_SERVICE_HOST"]) return;
  const server = await kubectl
    .run(["config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}"])
    .catch((cause: Error) => {
      if (!(cause instanceof KubectlError)) throw cause;
      throw noCluster(cause);
    });
  if (server.trim() === "") throw noCluster();
}

function noCluster(cause?: Error): InstallError {
  const why = cause === undefined ? "" : ` (${cause.message})`;
  return new InstallError(
    `No cluster is chosen${why}: set KUBECONFIG to the file of your cluster, or name one of its contexts by --context.`,
    { cause },
  );
}

/** Returns the cluster's version. @throws InstallError when it does not answer, or is too old */
export async function checkVersion(kubectl: Kubectl): Promise<string> {
  const answer = await kubectl.run(["version", "--output=json"]).catch((cause: Error) => {
    if (!cause.message.startsWith("kubectl version")) throw cause;
    throw new InstallError(`No cluster answers: ${cause.message}\nChoose one by KUBECONFIG or --context.`, { cause });
  });
  const { serverVersion: { gitVersion = "", major = "0", minor = "0" } = {} } = JSON.parse(answer);
  const newEnough = Number(major) > oldest[0] || Number.parseInt(minor, 10) >= oldest[1];
  if (!newEnough)
    throw new InstallError(`The cluster has Kubernetes ${gitVersion}: ${oldest.join(".")} or newer is needed.`);
  return gitVersion;
}

/** @throws InstallError naming everything that has to be in the cluster before these objects */
export async function checkApis(kubectl: Kubectl, manifests: readonly Manifest[]): Promise<void> {
  const served = (await kubectl.run(["api-versions"])).split("\n").map((version) => version.split("/")[0]);
  const wanted = new Set(manifests.map(({ apiVersion }) => apiVersion.split("/")[0] ?? ""));
  const missing = [...wanted].filter((group) => group in bringers && !served.includes(group));
  if (missing.length === 0) return;
  const lines = missing.map((group) => `  ${bringers[group]}`);
  throw new InstallError(`The overlay needs in the cluster, and does not find:\n${lines.join("\n")}`);
}
