import type { ClusterSettings } from "./cluster.ts";

/** What the driver does, by group and resource: as the role says that k8s/components/serving gives it. */
const needed: readonly { group: string; resource: string; verbs: readonly string[] }[] = [
  { group: "apps", resource: "deployments", verbs: ["get", "list", "watch", "create", "patch", "delete"] },
  { group: "", resource: "services", verbs: ["get", "list", "create", "patch", "delete"] },
  { group: "", resource: "secrets", verbs: ["get", "create", "patch", "delete"] },
  { group: "", resource: "pods", verbs: ["list", "watch"] },
];

/**
 * Asks the cluster which of the driver's rights in its namespace we lack, such as `patch deployments`. Changes nothing.
 * @throws when the cluster does not answer
 */
export async function missingRights({ namespace, kubeconfig }: Omit<ClusterSettings, "timeoutMs">): Promise<string[]> {
  const { AuthorizationV1Api, KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (kubeconfig === undefined) config.loadFromCluster();
  else config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(AuthorizationV1Api);
  const asked = needed.flatMap(({ group, resource, verbs }) => verbs.map((verb) => ({ group, resource, verb })));
  const answers = asked.map(async ({ group, resource, verb }) => {
    const spec = { resourceAttributes: { namespace, group, resource, verb } };
    const { status } = await api.createSelfSubjectAccessReview({ body: { spec } });
    return status?.allowed ? [] : [`${verb} ${resource}`];
  });
  return (await Promise.all(answers)).flat();
}
