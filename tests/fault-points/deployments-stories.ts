import { randomUUID } from "node:crypto";
import { type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import type { Story } from "./tale.ts";

const rolloutEnded = "aiplatform.deployments.rollout.ended.v1";
const keyed = () => ({ "idempotency-key": randomUUID() });

/** What follows has its cause in the rollout as often as in the request. */
const causes = {
  service: "deployments",
  events: ["aiplatform.deployments.deployment.created.v1"],
  anyNumberOf: ["aiplatform.deployments.deployment.status_changed.v1", rolloutEnded],
};

/** The deployments that satisfy, once their rollouts have ended. */
async function settledDeployments(
  environment: FaultyPlatform,
  isWanted: (deployment: Json) => boolean,
): Promise<Json[]> {
  const look = async (): Promise<Json[]> => {
    const all: Json[] = await environment.read("/platform/deployments?limit=1000");
    return all.filter(isWanted);
  };
  const hasEnded = (found: Json[]) => found.every(({ rollout_status }) => /^(Succeeded|Failed)$/.test(rollout_status));
  return until("the rollouts to end", 90, look, hasEnded);
}

async function outcomeOf(environment: FaultyPlatform, own: readonly Json[], answered: Json): Promise<Json> {
  return {
    rollouts: own.map(({ rollout_status }) => rollout_status),
    ends: await Promise.all(
      own.map(({ id }) => environment.countEvents("deployments", { type: rolloutEnded, entityId: id })),
    ),
    answered: own[0]?.id === answered.id,
  };
}

/** Of a model that no runtime can load: its rollout fails, and nothing is left running. */
async function createDeployment(environment: FaultyPlatform) {
  const artifactSha256 = await uploadArtifact(environment.platform.description, Buffer.from("no model"));
  const { model } = await environment.made("ModelService/CreateModel", { name: randomUUID() });
  await environment.made("ModelService/CreateModelVersion", { modelId: model.id, format: "onnx", artifactSha256 });
  return {
    request: { path: "/deployments/", body: { model_id: model.id }, headers: keyed() },
    causes,
    records: 1,
    expected: { rollouts: ["Failed"], ends: [1], answered: true },
    async found({ body }: Json) {
      const own = await settledDeployments(environment, ({ model_id }) => model_id === model.id);
      return outcomeOf(environment, own, body);
    },
  };
}

async function createCustomServingDeployment(environment: FaultyPlatform) {
  const name = `f${randomUUID()}`;
  const serving_bundle = {
    schema_version: "serving.v1",
    runtime: { type: "prebuilt", value: "node" },
    interface: { input: {}, output: {} },
    name: "Faults",
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
  };
  const handler = `export default () => "${name}";`;
  const artifacts = [{ name: "handler", content: handler, content_type: "text/javascript" }];
  return {
    request: { path: "/deployments/custom-serving/", body: { name, serving_bundle, artifacts }, headers: keyed() },
    causes,
    records: 1,
    expected: { rollouts: ["Succeeded"], ends: [1], answered: true },
    async found({ body }: Json) {
      const own = await settledDeployments(environment, (deployment) => deployment.name === name);
      return outcomeOf(environment, own, body);
    },
    cleanUp: async ({ body }: Json) =>
      void (await environment.asked({ method: "DELETE", path: `/platform/deployments/${body.id}` })),
  };
}

/** Of the service that deploys models. */
export const deploymentsStories: readonly Story[] = [
  { title: "createDeployment", operation: "createDeployment", prepare: createDeployment },
  {
    title: "createCustomServingDeployment",
    operation: "createCustomServingDeployment",
    prepare: createCustomServingDeployment,
  },
];
