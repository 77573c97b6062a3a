import { DatasetVectorMetric } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import { DatasetVersionState } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { until } from "../infra/wait.ts";
import { as, type DemoClients } from "./demo-clients.ts";

/** What the demo's vectors are made of. */
export interface EmbeddingPlan {
  bearer: string;
  datasetId: string;
  modelId: string;
}

/** It was read while the model was trained. */
const readWithinMs = 60_000;
/** Grey values of the rows are 0 to 255, and the model takes 0 to 1. */
const scale = 1 / 255;
const alias = "digits";

/**
 * Has the demo's model make a vector of each of the demo's digits, unless there is an embedding. Nothing here waits for the vectors: the
 * deployment begins to serve, and the data service asks it, in the background. Without predictions no instance stays.
 */
export async function seedEmbedding(
  { versions, embeddings, deployments }: Pick<DemoClients, "versions" | "embeddings" | "deployments">,
  { bearer, datasetId, modelId }: EmbeddingPlan,
): Promise<void> {
  const { versions: known } = await versions.listDatasetVersions({ datasetId, orderBy: "number" }, as(bearer));
  const versionId = known[0]?.id;
  if (versionId === undefined) return;
  const ref = { datasetId, versionId };
  const before = await embeddings.listDatasetEmbeddings({ ...ref, limit: 1 }, as(bearer));
  if (before.embeddings.length > 0) return;
  const look = async () => (await versions.getDatasetVersion(ref, as(bearer))).version?.state;
  const isRead = async () => {
    const state = await look();
    return state === DatasetVersionState.PENDING || state === DatasetVersionState.READING ? undefined : state;
  };
  const otherwise = () => new Error(`the version ${versionId} of the demo's dataset was not read`);
  const state = await until(isRead, { withinMs: readWithinMs, everyMs: 100, otherwise });
  // A user may have purged it.
  if (state !== DatasetVersionState.READY) return;
  const deploymentId = await servedModel({ deployments }, { bearer, datasetId, modelId });
  const tensors = { input: "images", output: "probabilities" };
  const recipe = { deploymentId, ...tensors, column: "image", scale, metric: DatasetVectorMetric.L2 };
  const idempotencyKey = `demo embedding of ${versionId}`;
  await embeddings.createDatasetEmbedding({ ...ref, recipe, idempotencyKey }, as(bearer));
}

/** The model as it is, with an instance while it is asked. */
async function servedModel(
  { deployments }: Pick<DemoClients, "deployments">,
  { bearer, datasetId, modelId }: EmbeddingPlan,
): Promise<string> {
  const servingBundle = {
    schemaVersion: "serving.v1",
    runtime: { type: "prebuilt", value: "onnx" },
    interface: { input: { text: "{}" }, output: { text: "{}" } },
    name: "digit-vectors",
    description: "Makes vectors of handwritten digits",
  };
  const { deployment } = await deployments.createCustomServingDeployment(
    {
      name: "Digit vectors",
      description: "Says of each digit how likely it is which of the ten: ten numbers, by which digits are compared",
      servingBundle,
      modelRefs: [{ modelId, alias }],
      serverlessRunConfig: { text: JSON.stringify({ min_instances: 0, idle_seconds: 60 }) },
      idempotencyKey: `demo vectors of ${datasetId}`,
    },
    as(bearer),
  );
  return deployment?.id ?? "";
}
