import { DatasetVectorMetric } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import { as, type DemoClients } from "./demo-clients.ts";
import { isRead } from "./version-seed.ts";

/** What the demo's vectors are made of. */
export interface EmbeddingPlan {
  bearer: string;
  datasetId: string;
  modelId: string;
}

/** Of the demo itself; a user may have made more. */
const versionsOfDemo = 2;
/** Grey values of the rows are 0 to 255, and the model takes 0 to 1. */
const scale = 1 / 255;
const alias = "digits";

/**
 * Has the demo's model make a vector of each of the demo's digits, in each of its versions without an embedding. Nothing here waits for the
 * vectors: the deployment begins to serve, and the data service asks it, in the background. Without predictions no instance stays.
 */
export async function seedEmbeddings(
  clients: Pick<DemoClients, "versions" | "embeddings" | "deployments">,
  plan: EmbeddingPlan,
): Promise<void> {
  const { bearer, datasetId } = plan;
  const wanted = { datasetId, orderBy: "number", limit: versionsOfDemo };
  const { versions } = await clients.versions.listDatasetVersions(wanted, as(bearer));
  for (const { id } of versions) await seedEmbedding(clients, plan, id);
}

async function seedEmbedding(
  { versions, embeddings, deployments }: Pick<DemoClients, "versions" | "embeddings" | "deployments">,
  plan: EmbeddingPlan,
  versionId: string,
): Promise<void> {
  const { bearer, datasetId } = plan;
  const ref = { datasetId, versionId };
  const before = await embeddings.listDatasetEmbeddings({ ...ref, limit: 1 }, as(bearer));
  if (before.embeddings.length > 0) return;
  if (!(await isRead({ versions }, { bearer, ...ref }))) return;
  const deploymentId = await servedModel({ deployments }, plan);
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
