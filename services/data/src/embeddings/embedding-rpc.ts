import { callerOf } from "@aiplatform/caller-identity";
import {
  type DatasetEmbeddingRecipe,
  DatasetEmbeddingService,
  DatasetVectorMetric,
  type SearchDatasetVectorsRequest,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { assertNone, currentCause, idempotentPrepared } from "@aiplatform/service-host";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { arrowBody, wantedFormat } from "../dataset-rows/row-format.ts";
import type { DatasetRef } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import { versionNamed } from "../version-service/row-rpc.ts";
import { type CancelEmbeddingDependencies, cancelEmbedding } from "./cancel-embedding.ts";
import {
  type CreateEmbeddingDependencies,
  createEmbedding,
  lookUpRecipe,
  type SaidRecipe,
} from "./create-embedding.ts";
import { embeddingMessage, metrics } from "./embedding-message.ts";
import { type ListVectorsDependencies, listVectors } from "./list-vectors.ts";
import { type SearchVectorsDependencies, type Sought, searchVectors } from "./search-vectors.ts";
import { vectorRows } from "./vector-rows.ts";

export interface EmbeddingRpcDependencies
  extends CreateEmbeddingDependencies,
    CancelEmbeddingDependencies,
    ListVectorsDependencies,
    SearchVectorsDependencies {
  idempotency: Pick<IdempotencyStore, "runPrepared">;
  versions: DatasetVersionStore;
  embeddings: CreateEmbeddingDependencies["embeddings"];
  engine: ListVectorsDependencies["engine"] & SearchVectorsDependencies["engine"];
  /** Has embeddings that wait claimed at once. */
  notifyEmbeddingWorker: () => void;
}

const defaultLimit = 100;
const defaultMatches = 10;

export function embeddingRoutes(router: ConnectRouter, dependencies: EmbeddingRpcDependencies): void {
  const { versions, embeddings } = dependencies;
  const { createDatasetEmbedding: method } = DatasetEmbeddingService.method;
  router.service(DatasetEmbeddingService, {
    async createDatasetEmbedding(request, context) {
      const ref = versionNamed(request, context);
      const madeFor = currentCause();
      const answer = await idempotentPrepared(dependencies.idempotency, method, { request, context }, async () => {
        const wanted = await lookUpRecipe(dependencies, callerOf(context), ref, recipeOf(request.recipe));
        return async (session) => ({
          embedding: embeddingMessage(await createEmbedding(dependencies, { ...wanted, madeFor }, session)),
        });
      });
      dependencies.notifyEmbeddingWorker();
      return answer;
    },
    async listDatasetEmbeddings({ limit = defaultLimit, ...request }, context) {
      const ref = versionNamed(request, context);
      const { items, nextCursor } = await embeddings.list(ref, { ...request, limit });
      // Of a version that is not there, 404.
      if (items.length === 0) await versions.get(ref);
      return { embeddings: items.map(embeddingMessage), nextCursor };
    },
    async getDatasetEmbedding(request, context) {
      return { embedding: embeddingMessage(await embeddings.get(embeddingNamed(request, context))) };
    },
    async cancelDatasetEmbedding(request, context) {
      return { embedding: embeddingMessage(await cancelEmbedding(dependencies, embeddingNamed(request, context))) };
    },
    async listDatasetVectors({ limit = defaultLimit, cursor, embeddingId, ...request }, context) {
      const format = wantedFormat(context);
      const wanted = { limit, cursor, format, embeddingId: embeddingId?.toLowerCase() };
      const page = await listVectors(dependencies, datasetNamed(request, context), wanted, context.signal);
      const { body, nextCursor } = page;
      if (format === "arrow") return { rendered: arrowBody(body), nextCursor };
      const vectors = vectorRows(body).map(({ row, vector }) => ({ row: BigInt(row), vector: [...vector] }));
      return { vectors, nextCursor };
    },
    async searchDatasetVectors(request, context) {
      const { limit = defaultMatches, filter, columns, embeddingId } = request;
      const wanted = { limit, filter, columns, embeddingId: embeddingId?.toLowerCase(), sought: soughtOf(request) };
      const dataset = datasetNamed(request, context);
      const matches = await searchVectors(dependencies, callerOf(context), dataset, wanted, context.signal);
      return {
        matches: matches.map(({ row, distance, data }) => ({ row: BigInt(row), distance, data: { text: data } })),
      };
    },
  });
}

function datasetNamed(
  { datasetId }: { datasetId: string },
  context: Pick<HandlerContext, "method" | "values">,
): DatasetRef {
  return { organisationId: callerOf(context).organisationId, datasetId: datasetId.toLowerCase() };
}

function embeddingNamed(
  request: { datasetId: string; versionId: string; embeddingId: string },
  context: Pick<HandlerContext, "method" | "values">,
) {
  return { ...versionNamed(request, context), embeddingId: request.embeddingId.toLowerCase() };
}

/** The contract refuses a request without a recipe. */
function recipeOf(said: DatasetEmbeddingRecipe | undefined): SaidRecipe {
  const { deploymentId = "", input = "", output = "", endpoint = "", model = "" } = said ?? {};
  const { template = "", column = "", scale = 1 } = said ?? {};
  const metric = metrics[said?.metric ?? DatasetVectorMetric.UNSPECIFIED];
  const maker = { deploymentId: deploymentId.toLowerCase(), input, output, endpoint, model };
  return { ...maker, template, column, scale, metric };
}

/** @throws InvalidFieldsError unless exactly one thing is looked for */
function soughtOf({ row, vector, text, tensor }: SearchDatasetVectorsRequest): Sought {
  const given: Sought[] = [
    ...(row === undefined ? [] : [{ kind: "row" as const, row: Number(row) }]),
    ...(vector.length === 0 ? [] : [{ kind: "vector" as const, vector }]),
    ...(text === "" ? [] : [{ kind: "text" as const, text }]),
    ...(tensor.length === 0 ? [] : [{ kind: "tensor" as const, tensor }]),
  ];
  const [first, second] = given;
  const description = "give exactly one of row, vector, text and tensor";
  if (!first) assertNone([{ field: "row", reason: "SEARCH_MISSING", description }]);
  if (second) assertNone([{ field: second.kind, reason: "NOT_TOGETHER", description }]);
  return first ?? { kind: "vector", vector };
}
