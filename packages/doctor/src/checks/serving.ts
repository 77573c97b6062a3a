import { createServer } from "node:net";
import { type DeploymentsConfig, missingRights } from "@aiplatform/deployments/checkup";
import { type Check, either, type Finding, failed, fine, reasonOf } from "../check.ts";

/** Where instances run: rights in the cluster, or an address that processes can listen on. */
export const serving: Check = {
  name: "serving",
  looks: (services) =>
    services.flatMap((service) =>
      service.kind === "deployments"
        ? [{ of: [service.name], remedy: "SERVING_DRIVER says where instances run", run: () => look(service.config) }]
        : [],
    ),
};

async function look(config: DeploymentsConfig): Promise<Finding[]> {
  return config.SERVING_DRIVER === "kubernetes" ? cluster(config) : [await processes(config)];
}

async function cluster({
  KUBERNETES_NAMESPACE: namespace,
  KUBECONFIG: kubeconfig,
}: DeploymentsConfig): Promise<Finding[]> {
  try {
    const missing = await missingRights({ namespace, kubeconfig });
    const remedy = `bind the role of k8s/components/serving to the service account in ${namespace} (KUBERNETES_NAMESPACE)`;
    const lacking = failed(`in ${namespace} the service may not ${missing.join(", ")}`, remedy);
    return [either(missing.length === 0, `every right that is needed in ${namespace}`, lacking)];
  } catch (error) {
    const remedy = "KUBECONFIG names the cluster; unset, the pod's service account does (automountServiceAccountToken)";
    return [failed(`the cluster does not answer: ${reasonOf(error)}`, remedy)];
  }
}

/** Instances take any free port of that address. */
function processes({ SERVING_HOST: host }: DeploymentsConfig): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", (error) => {
      const remedy = "SERVING_HOST is an address of this machine, at which the gateway reaches it";
      resolve(failed(`processes cannot listen on ${host}: ${reasonOf(error)}`, remedy));
    });
    server.listen({ host, port: 0 }, () => server.close(() => resolve(fine(`processes can listen on ${host}`))));
  });
}
