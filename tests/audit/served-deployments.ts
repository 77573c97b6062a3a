import { randomUUID } from "node:crypto";
import { until } from "../mesh/rest.ts";
import type { AuditEnvironment } from "./audit-environment.ts";

const servingBundle = {
  schemaVersion: "serving.v1",
  runtime: { type: "prebuilt", value: "node" },
  interface: { input: {}, output: {} },
  name: "audited",
  artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
};
export const bundle = () => {
  const code = JSON.stringify(`export default () => "${randomUUID()}";`);
  return { servingBundle, artifacts: [{ name: "handler", content: { text: code }, contentType: "text/javascript" }] };
};
export const newDeployment = async (environment: AuditEnvironment) => {
  const wanted = { name: "audited", ...bundle() };
  return (await environment.made("DeploymentService/CreateCustomServingDeployment", wanted)).deployment.id;
};

/** One deployment for all that need any: each of them runs. */
export const deployment = onceFor(newDeployment);

/** A deployment of which two versions, one after the other, have served. */
export async function newServed(environment: AuditEnvironment): Promise<string> {
  const deploymentId = await newDeployment(environment);
  for (const isFirst of [true, false]) {
    if (!isFirst) {
      await environment.made("DeploymentService/UpdateCustomServingDeployment", { deploymentId, ...bundle() });
    }
    await until(
      "the deployment to serve",
      60,
      () => environment.made("DeploymentService/GetDeployment", { deploymentId }),
      ({ deployment: now }) => now.rolloutStatus === "ROLLOUT_STATUS_SUCCEEDED",
    );
  }
  return deploymentId;
}

export const served = onceFor(newServed);

/** What tries the first of two versions that have served. */
export async function canary(environment: AuditEnvironment) {
  const deploymentId = await served(environment);
  const { versions } = await environment.made("DeploymentService/ListDeploymentVersions", { deploymentId });
  await environment.made("DeploymentService/EndCanary", { deploymentId });
  return { deploymentId, deploymentVersionId: versions.at(-1).id, percent: 10 };
}

function onceFor<T>(
  make: (environment: AuditEnvironment) => Promise<T>,
): (environment: AuditEnvironment) => Promise<T> {
  const made = new WeakMap<AuditEnvironment, Promise<T>>();
  return (environment) => {
    const known = made.get(environment) ?? make(environment);
    made.set(environment, known);
    return known;
  };
}
