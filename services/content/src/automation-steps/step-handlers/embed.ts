import {
  type DatasetEmbedding,
  DatasetEmbeddingState,
  DatasetVectorMetric,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import type { JsonRecord } from "../../json-object.ts";
import { idField, idIn, idsIn, notExactlyOne, textIn } from "../step-fields.ts";
import { delegatedCall, type StepContext, type StepHandler, type StepServices } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";
import { beginsOnce, type EndedOutcome } from "../waiting-step.ts";

/** An embedding that the step has begun. */
interface BegunEmbedding {
  datasetId: string;
  versionId: string;
  embeddingId: string;
}

const metrics = {
  cosine: DatasetVectorMetric.COSINE,
  l2: DatasetVectorMetric.L2,
  dot: DatasetVectorMetric.DOT,
} as const;

const nameField = { kind: "text", maxLength: 255 } as const;

/** Has a deployment make a vector of each row of a version; once. Waits until all are there unless it is not to. */
export const embed: StepHandler = {
  fields: {
    dataset_id: { ...idField, required: true },
    version_id: { ...idField, required: true },
    deployment_id: { ...idField, required: true },
    input: { ...nameField, required: true },
    output: { ...nameField, required: true },
    template: { kind: "text", maxLength: 10_000 },
    column: nameField,
    scale: { kind: "number" },
    metric: { kind: "word", oneOf: Object.keys(metrics) },
    wait: { kind: "flag" },
  },
  check: (fields, place) => notExactlyOne(fields, place, ["template", "column"]),
  permissions: () => ["data:read", "data:write", "deployments:predict"],
  datasetIds: (fields) => idsIn([fields], "dataset_id"),
  execute: beginsOnce({
    kept: begunEmbeddingOf,
    begin,
    observe: observeEmbedding,
    waitsFor: ({ embeddingId }) => embeddingId,
    named: namesOf,
  }),
};

async function begin(services: StepServices, context: StepContext): Promise<BegunEmbedding> {
  const { fields, effectId: idempotencyKey } = context;
  const [datasetId, versionId] = [idIn(fields, "dataset_id") ?? "", idIn(fields, "version_id") ?? ""];
  const { embeddings } = services.clients.data;
  const request = { datasetId, versionId, recipe: recipeOf(fields), idempotencyKey };
  const { embedding } = await embeddings.createDatasetEmbedding(request, delegatedCall(services, context));
  if (!embedding) throw new StepFailedError("The data service has answered no embedding");
  return { datasetId: embedding.datasetId, versionId: embedding.versionId, embeddingId: embedding.id };
}

function namesOf({ datasetId, versionId, embeddingId }: BegunEmbedding): JsonRecord {
  return { dataset_id: datasetId, version_id: versionId, embedding_id: embeddingId };
}

function recipeOf(fields: JsonRecord) {
  const { template, scale, metric } = fields;
  const column = textIn(fields, "column");
  const [, kind = DatasetVectorMetric.UNSPECIFIED] = Object.entries(metrics).find(([name]) => name === metric) ?? [];
  return {
    deploymentId: idIn(fields, "deployment_id") ?? "",
    input: textIn(fields, "input") ?? "",
    output: textIn(fields, "output") ?? "",
    metric: kind,
    ...(typeof template === "string" && { template }),
    ...(column !== undefined && { column }),
    ...(typeof scale === "number" && { scale }),
  };
}

function begunEmbeddingOf({ datasetId, versionId, embeddingId }: JsonRecord): BegunEmbedding | undefined {
  const isKnown = typeof datasetId === "string" && typeof versionId === "string" && typeof embeddingId === "string";
  return isKnown ? { datasetId, versionId, embeddingId } : undefined;
}

async function observeEmbedding(
  services: StepServices,
  context: StepContext,
  begun: BegunEmbedding,
): Promise<EndedOutcome | undefined> {
  const { embeddings } = services.clients.data;
  const { embedding } = await embeddings.getDatasetEmbedding(begun, delegatedCall(services, context));
  switch (embedding?.state) {
    case DatasetEmbeddingState.READY:
      return { output: outputOf(embedding), label: "ready" };
    case DatasetEmbeddingState.FAILED: {
      const { message = "", remedy = "" } = embedding.problem ?? {};
      throw new StepFailedError(`The version cannot be embedded: ${message}. ${remedy}`);
    }
    case DatasetEmbeddingState.CANCELLED:
      throw new StepFailedError("The embedding was cancelled");
    case DatasetEmbeddingState.PURGING:
      throw new StepFailedError("The version was purged");
    default:
      return undefined;
  }
}

function outputOf({ id, datasetId, versionId, ...made }: DatasetEmbedding): JsonRecord {
  return {
    ...namesOf({ datasetId, versionId, embeddingId: id }),
    ...{ row_count: Number(made.rowCount), reused_rows: Number(made.reusedRows) },
    dimensions: made.dimensions,
    deployment_version_id: made.deploymentVersionId,
  };
}
