import type { DataEngine } from "@aiplatform/data-engine";
import { type Claim, LeaseLostError } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import { reasonOf } from "@aiplatform/service-kit/peer";
import type { DataQuotas } from "../data-quotas.ts";
import { onData } from "../dataset-rows/read-rows.ts";
import { assertReady } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { DatasetsOfContent } from "../other-services/datasets-of-content.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { earlierVectors } from "./earlier-vectors.ts";
import { type Batch, type BatchSource, embedBatch } from "./embed-batch.ts";
import { assertEmbedded, type Embedding } from "./embedding.ts";
import { embeddingFailed, embeddingReady, exportEnded } from "./embedding-events.ts";
import type { EmbeddingPartStore } from "./embedding-part-store.ts";
import { problemOf } from "./embedding-problem.ts";
import type { EmbeddingOutcome, EmbeddingStore } from "./embedding-store.ts";
import { RowInputs } from "./row-inputs.ts";
import { assertNoneSensitive } from "./sensitive-columns.ts";
import type { VectorMakers } from "./vector-makers.ts";
import { type WriteVectorsDependencies, writeVectors } from "./write-vectors.ts";

export interface RunEmbeddingDependencies
  extends WriteVectorsDependencies,
    Pick<DomainPlatform, "outbox" | "transaction" | "clock" | "logger"> {
  versions: Pick<DatasetVersionStore, "get" | "claimReady">;
  embeddings: EmbeddingStore;
  parts: EmbeddingPartStore;
  cache: ParquetCache;
  quotas: Pick<DataQuotas, "admit">;
  makers: Pick<VectorMakers, "batchRows" | "make">;
  datasets: Pick<DatasetsOfContent, "sensitiveColumns">;
  engine: Pick<DataEngine, "rows" | "query" | "convert" | "queryToFile" | "layVectors">;
}

/**
 * Embeds the rows that have no vectors yet, then writes all vectors and says so. Killed anywhere, it goes on behind the last batch whose
 * vectors are stored: such a batch is never sent again. One whose answer had not been stored is sent again.
 * @throws LeaseLostError, and what is to be tried again
 */
export async function runEmbedding(
  dependencies: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
  signal: AbortSignal,
): Promise<void> {
  const { embeddings, logger } = dependencies;
  try {
    const embedded = await embedRows(dependencies, claim, signal);
    const written = await writeVectors(dependencies, embedded, signal);
    await end(dependencies, claim, embedded, { state: "ready", ...written });
  } catch (error) {
    signal.throwIfAborted();
    const isStale = reasonOf(error) === "DEPLOYMENT_VERSION_GONE" && (await startOver(dependencies, claim));
    if (isStale) throw error;
    const problem = await problemOf(error, () => embeddings.noteStop(claim));
    if (!problem) throw error;
    logger.info({ err: error, dataset_embedding_id: claim.id }, "the rows of a version cannot be embedded");
    await end(dependencies, claim, claim.work, { state: "failed", problem });
  }
}

async function embedRows(
  dependencies: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
  signal: AbortSignal,
): Promise<Embedding> {
  const { versions, embeddings, clock } = dependencies;
  const { work } = claim;
  const version = await versions.get(work);
  assertReady(version);
  const earlier = await earlierOf(dependencies, work);
  const isFirst = work.embeddedRows === 0;
  if (!(await embeddings.begin(claim, isFirst ? earlier : undefined, clock()))) throw new LeaseLostError();
  let embedding = isFirst && earlier ? { ...work, ...adopted(earlier) } : work;
  if (embedding.embeddedRows >= embedding.rowCount) return embedding;
  const inputs = new RowInputs(work.recipe.row);
  const known = earlier && earlierVectors(dependencies, earlier);
  const beforeSending = (rows: number) => allowSending(dependencies, claim, { rows, columns: inputs.columns });
  return await onData(dependencies, version, signal, async (path) => {
    const source: BatchSource = { path, version, inputs, earlier: known, beforeSending };
    while (embedding.embeddedRows < embedding.rowCount) {
      signal.throwIfAborted();
      const batch = await embedBatch(dependencies, embedding, source, signal);
      await keep(dependencies, claim, embedding, batch);
      embedding = { ...embedding, ...batch.progress };
    }
    return embedding;
  });
}

/** Before rows go to an endpoint: that no column was marked sensitive meanwhile, and how many they are. @throws UnfitRowsError, LeaseLostError */
async function allowSending(
  { datasets, embeddings }: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
  { rows, columns }: { rows: number; columns: readonly string[] },
): Promise<void> {
  if (claim.work.recipe.maker.kind === "deployment") return;
  assertNoneSensitive(columns, await datasets.sensitiveColumns(claim.work));
  if (!(await embeddings.noteSending(claim, rows))) throw new LeaseLostError();
}

const adopted = ({ id, deploymentVersionId, dimensions }: Embedding) => ({
  ...{ earlierId: id, deploymentVersionId, dimensions },
});

/** The embedding whose vectors are used again: the one that was chosen before the first batch, while it is there. */
async function earlierOf({ embeddings }: Pick<RunEmbeddingDependencies, "embeddings">, work: Embedding) {
  const isNew = work.embeddedRows === 0 && work.state === "pending";
  const chosen = async () => (work.earlierId === undefined ? undefined : await embeddings.find(work, work.earlierId));
  const found = isNew ? await embeddings.newestReady(work, work) : await chosen();
  if (found?.state !== "ready") return undefined;
  assertEmbedded(found);
  return found;
}

/** The vectors and the cursor behind them, in one write. @throws LeaseLostError */
function keep(
  { embeddings, parts, transaction, clock }: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
  embedding: Embedding,
  { part, progress }: Batch,
): Promise<void> {
  return transaction(async (session) => {
    const moved = { ...progress, from: embedding.embeddedRows };
    if (!(await embeddings.advance(claim, moved, { now: clock(), session }))) throw new LeaseLostError();
    await parts.insert(embedding, part, session);
  });
}

/** The version of an earlier embedding serves no longer: all rows are sent. Answers whether there was such an embedding. */
function startOver(
  { embeddings, parts, transaction, clock }: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
): Promise<boolean> {
  const { work } = claim;
  const ref = { ...work, embeddingId: work.id };
  return transaction(async (session) => {
    const { earlierId } = await embeddings.get(ref, session);
    if (earlierId === undefined) return false;
    if (!(await embeddings.startOver(claim, { now: clock(), session }))) throw new LeaseLostError();
    await parts.removeAll(work, session);
    return true;
  });
}

/** @throws LeaseLostError, also when the version was purged meanwhile */
function end(
  { versions, embeddings, parts, quotas, outbox, transaction, clock }: RunEmbeddingDependencies,
  claim: Claim<Embedding>,
  embedding: Embedding,
  outcome: EmbeddingOutcome,
): Promise<void> {
  return transaction(async (session) => {
    const now = clock();
    if (outcome.state === "ready") {
      const bytes = outcome.data.sizeBytes + outcome.search.sizeBytes;
      await quotas.admit(embedding.organisationId, { dataset_bytes: bytes }, session);
      if (!(await versions.claimReady(embedding, session))) throw new LeaseLostError();
    }
    const reached = await embeddings.get({ ...embedding, embeddingId: embedding.id }, session);
    if (!(await embeddings.end(claim, outcome, { now, session }))) throw new LeaseLostError();
    if (embedding.recipe.maker.kind === "endpoint") {
      await outbox.stage(session, exportEnded(reached, outcome.state, now));
    }
    await parts.removeAll(embedding, session);
    const isReady = outcome.state === "ready";
    const event = isReady ? embeddingReady(embedding, embedding.dimensions ?? 0, now) : embeddingFailed(embedding, now);
    await outbox.stage(session, event);
  });
}
