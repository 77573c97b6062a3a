import type { DataEngine } from "@aiplatform/data-engine";
import { objectsOf } from "../dataset-rows/json-objects.ts";
import type { ReadyVersion } from "../dataset-versions/dataset-version.ts";
import { type Embedding, maxNumbers, UnfitRowsError } from "./embedding.ts";
import type { EmbeddingPart } from "./embedding-part-store.ts";
import type { EmbeddingProgress } from "./embedding-store.ts";
import type { Vectors } from "./inference.ts";
import type { KeyedInput, RowInputs } from "./row-inputs.ts";
import type { VectorMakers } from "./vector-makers.ts";

export interface EmbedBatchDependencies {
  engine: Pick<DataEngine, "rows">;
  makers: Pick<VectorMakers, "batchRows" | "make">;
}

/** Where vectors of the same recipe are found by the digests of their inputs. */
export interface EarlierVectors {
  find(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Float32Array>>;
}

/** What a batch is made of. */
export interface BatchSource {
  /** Of the rows. */
  path: string;
  version: ReadyVersion;
  inputs: RowInputs;
  earlier: EarlierVectors | undefined;
  /** Called before so many rows are sent. Throws where they must not be. */
  beforeSending: (rows: number) => Promise<void>;
}

/** The next rows with their vectors, and how far the embedding is then. */
export interface Batch {
  part: EmbeddingPart;
  progress: EmbeddingProgress;
}

/** Bytes of rows that are sent at once. */
const batchBytes = 2_097_152;
/** What deployments takes for a prediction, less what stands around the rows. */
const maxRequestBytes = 3_000_000;
/** How often an endpoint that asks to wait is sent a batch, before the pauses between all work count. */
const attempts = 4;

/** Has vectors made of the next rows. Nothing is kept of it here. @throws UnfitRowsError, and what is to be tried again */
export async function embedBatch(
  dependencies: EmbedBatchDependencies,
  embedding: Embedding,
  source: BatchSource,
  signal: AbortSignal,
): Promise<Batch> {
  const { embeddedRows: firstRow } = embedding;
  const rows = await nextRows(dependencies, embedding, source, signal);
  const known = new Map(
    await source.earlier?.find(
      rows.map(({ key }) => key),
      signal,
    ),
  );
  const reused = rows.filter(({ key }) => known.has(key)).length;
  const missing = new Map(rows.flatMap(({ key, input }) => (known.has(key) ? [] : [[key, input] as const])));
  let { dimensions, deploymentVersionId } = embedding;
  if (missing.size > 0) {
    await source.beforeSending(rows.length - reused);
    const place = `rows ${firstRow} to ${firstRow + rows.length - 1}`;
    const terms = { place, effectId: `${embedding.id}-${firstRow}`, attempts };
    const made = await dependencies.makers.make(embedding, [...missing.values()], terms, signal);
    assertFit(embedding, made);
    for (const [at, key] of [...missing.keys()].entries()) known.set(key, made.vectors[at] ?? new Float32Array());
    ({ dimensions, deploymentVersionId } = made);
  }
  const vectors = rows.map(({ key }) => known.get(key) ?? new Float32Array());
  const embeddedRows = firstRow + rows.length;
  return {
    part: { firstRow, keys: rows.map(({ key }) => key), vectors },
    progress: { embeddedRows, reusedRows: embedding.reusedRows + reused, dimensions, deploymentVersionId },
  };
}

/** As many as fit into a request: one at least. */
async function nextRows(
  { engine, makers }: EmbedBatchDependencies,
  embedding: Embedding,
  { path, inputs }: BatchSource,
  signal: AbortSignal,
): Promise<KeyedInput[]> {
  const { organisationId, embeddedRows: offset } = embedding;
  const bounds = { limit: makers.batchRows(embedding), maxBytes: batchBytes };
  const wanted = { organisationId, files: [path], columns: inputs.columns, offset, ...bounds, signal };
  const page = await engine.rows(wanted);
  const rows = objectsOf(page.body).map((text, at) => inputs.of(text, offset + at));
  let bytes = 0;
  const fitting = rows.filter(({ input }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(input));
    return at === 0 || bytes <= batchBytes;
  });
  const [first] = fitting;
  if (!first) throw new Error(`the version has no row ${offset}`);
  if (Buffer.byteLength(JSON.stringify(first.input)) > maxRequestBytes) {
    throw new UnfitRowsError({
      rule: "input",
      message: `Row ${offset} makes an input of more than ${maxRequestBytes} bytes`,
      remedy: "Use a template with shorter columns",
    });
  }
  return fitting;
}

/** @throws UnfitRowsError */
function assertFit({ dimensions: before, rowCount }: Embedding, { dimensions }: Vectors): void {
  if (before !== undefined && before !== dimensions) {
    throw new UnfitRowsError({
      rule: "answer",
      message: `The model answered vectors of ${dimensions} numbers after vectors of ${before}`,
      remedy: "Use a model whose vectors all have the same length",
    });
  }
  if (dimensions * rowCount <= maxNumbers) return;
  throw new UnfitRowsError({
    rule: "size",
    message: `${rowCount} vectors of ${dimensions} numbers are more than ${maxNumbers} numbers`,
    remedy: "Embed a version with fewer rows, or use a model with shorter vectors",
  });
}
