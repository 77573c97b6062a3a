import { DatasetVectorMetric } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import { Code } from "@connectrpc/connect";
import { as, type DemoClients, unless } from "./demo-clients.ts";
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
  let deploymentId: string | undefined;
  for (const { id: versionId } of versions) {
    const ref = { datasetId, versionId };
    const { embeddings } = await clients.embeddings.listDatasetEmbeddings({ ...ref, limit: 1 }, as(bearer));
    const known = embeddings[0]?.recipe?.deploymentId;
    deploymentId ??= known;
    if (known !== undefined || !(await isRead(clients, { bearer, ...ref }))) continue;
    deploymentId ??= await servedModel(clients, plan);
    await embed(clients, { bearer, ...ref, deploymentId });
  }
}

interface WantedEmbedding {
  bearer: string;
  datasetId: string;
  versionId: string;
  deploymentId: string;
}

async function embed(
  { embeddings }: Pick<DemoClients, "embeddings">,
  { bearer, deploymentId, ...ref }: WantedEmbedding,
): Promise<void> {
  const tensors = { input: "images", output: "probabilities" };
  const recipe = { deploymentId, ...tensors, column: "image", scale, metric: DatasetVectorMetric.L2 };
  const idempotencyKey = `demo embedding of ${ref.versionId}`;
  // A user may have deleted the deployment.
  await unless(embeddings.createDatasetEmbedding({ ...ref, recipe, idempotencyKey }, as(bearer)), Code.NotFound);
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
