import { randomUUID } from "node:crypto";
import type { Caller } from "@aiplatform/caller-identity";
import type { DataEngine, NearRow } from "@aiplatform/data-engine";
import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import { objectsOf } from "../dataset-rows/json-objects.ts";
import { checkedRows, onData } from "../dataset-rows/read-rows.ts";
import { assertReady, type DatasetRef, type ReadyVersion } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { DatasetPredictions } from "../other-services/dataset-predictions.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { type ReadyEmbedding, UnfitRowsError } from "./embedding.ts";
import { type AskedDependencies, embeddingAsked } from "./embedding-asked.ts";
import { assertMayExport } from "./export-permission.ts";
import { nearestRows } from "./nearest-rows.ts";
import { type ModelInput, scaled } from "./row-inputs.ts";
import type { VectorMakers } from "./vector-makers.ts";
import { vectorRows } from "./vector-rows.ts";

export interface SearchVectorsDependencies extends AskedDependencies {
  versions: Pick<DatasetVersionStore, "has" | "get">;
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "rows" | "query" | "nearest">;
  predictions: Pick<DatasetPredictions, "assertMayAsk">;
  makers: Pick<VectorMakers, "make">;
}

/** What is looked for. */
export type Sought =
  | { kind: "row"; row: number }
  | { kind: "vector"; vector: readonly number[] }
  | { kind: "text"; text: string }
  | { kind: "tensor"; tensor: readonly number[] };

export interface SearchRequest {
  embeddingId: string | undefined;
  sought: Sought;
  filter: string;
  columns: readonly string[];
  limit: number;
}

/** A row that was found; its columns as JSON of an object. */
export interface VectorMatch {
  row: number;
  distance: number;
  data: string;
}

/**
 * The nearest rows: of all, or where there are very many of those that are near each other.
 * @throws as embeddingAsked, InvalidFieldsError, InvalidListRequestError, DatasetVersionNotReadyError, what deployments refuses, and what the
 * engine and the cache throw
 */
export async function searchVectors(
  dependencies: SearchVectorsDependencies,
  caller: Caller,
  dataset: DatasetRef,
  { embeddingId, sought, filter, columns, limit }: SearchRequest,
  signal: AbortSignal,
): Promise<VectorMatch[]> {
  const embedding = await embeddingAsked(dependencies, dataset, embeddingId);
  const version = await dependencies.versions.get(embedding);
  assertReady(version);
  const { where, columns: shown } = checkedRows(version.data.columns, { columns, filter, orderBy: "" });
  assertFits(embedding, sought);
  const vector = await soughtVector(dependencies, caller, embedding, sought, signal);
  assertFindable(embedding, sought, vector);
  const exceptRow = sought.kind === "row" ? sought.row : undefined;
  const rows = await nearestRows(dependencies, { embedding, version }, { vector, where, exceptRow, limit, signal });
  return await withData(dependencies, version, { rows, columns: shown }, signal);
}

function onVectors<T>(
  { cache }: Pick<SearchVectorsDependencies, "cache">,
  { organisationId, data }: ReadyEmbedding,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  return cache.use({ organisationId, ...data }, signal, work);
}

/** Of 32 bits. */
const largest = "3.4e38";

/** What can be said of the request before a model is asked. @throws InvalidFieldsError */
function assertFits({ recipe, dimensions, rowCount }: ReadyEmbedding, sought: Sought): void {
  const fault = (reason: string, description: string): FieldViolation[] => [
    { field: sought.kind, reason, description },
  ];
  if (sought.kind === "row" && sought.row >= rowCount) {
    assertNone(fault("ROW_UNKNOWN", `the version has ${rowCount} rows, from 0 to ${rowCount - 1}`));
  }
  if (sought.kind === "vector" && sought.vector.length !== dimensions) {
    assertNone(
      fault("DIMENSIONS_DIFFER", `has ${sought.vector.length} numbers, and the embedding's vectors have ${dimensions}`),
    );
  }
  if (sought.kind === "text" && recipe.row.kind === "column") {
    assertNone(fault("INPUT_UNFIT", "the embedding is of a column of numbers: give a tensor, a vector or a row"));
  }
  if (sought.kind === "tensor" && recipe.row.kind === "template") {
    assertNone(fault("INPUT_UNFIT", "the embedding is of texts: give a text, a vector or a row"));
  }
}

/** Vectors have numbers of 32 bits, and one of zeros has no angle to others. @throws InvalidFieldsError */
function assertFindable({ recipe }: ReadyEmbedding, { kind: field }: Sought, vector: readonly number[]): void {
  const stored = vector.map(Math.fround);
  if (!stored.every(Number.isFinite))
    assertNone([{ field, reason: "NUMBER_TOO_LARGE", description: `has a number beyond ±${largest}` }]);
  if (recipe.metric === "cosine" && stored.every((number) => number === 0))
    assertNone([{ field, reason: "VECTOR_ZERO", description: "is a vector of zeros, which has no angle to others" }]);
}

async function soughtVector(
  dependencies: SearchVectorsDependencies,
  caller: Caller,
  embedding: ReadyEmbedding,
  sought: Sought,
  signal: AbortSignal,
): Promise<readonly number[]> {
  if (sought.kind === "vector") return sought.vector;
  if (sought.kind === "row") return await vectorOfRow(dependencies, embedding, sought.row, signal);
  const { row } = embedding.recipe;
  const scale = row.kind === "column" ? row.scale : 1;
  const input = sought.kind === "text" ? sought.text : scaled(sought.tensor, scale);
  return await vectorOfInput(dependencies, caller, embedding, { field: sought.kind, input }, signal);
}

async function vectorOfRow(
  dependencies: Pick<SearchVectorsDependencies, "cache" | "engine">,
  embedding: ReadyEmbedding,
  offset: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { organisationId } = embedding;
  const page = await onVectors(dependencies, embedding, signal, (path) =>
    dependencies.engine.rows({ organisationId, files: [path], columns: ["vector"], offset, limit: 1, signal }),
  );
  return vectorRows(page.body)[0]?.vector ?? [];
}

/** By what has made the others, in the name of the caller, who needs the right to ask it. */
async function vectorOfInput(
  { predictions, makers }: Pick<SearchVectorsDependencies, "predictions" | "makers">,
  caller: Caller,
  embedding: ReadyEmbedding,
  { field, input }: { field: string; input: ModelInput },
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { recipe, dimensions } = embedding;
  if (recipe.maker.kind === "endpoint") assertMayExport(caller);
  else await predictions.assertMayAsk(caller, recipe.maker.deploymentId);
  try {
    const terms = { place: `the ${field}`, effectId: randomUUID(), attempts: 1 };
    const made = await makers.make(embedding, [input], terms, signal);
    const [vector = new Float32Array()] = made.vectors;
    if (vector.length === dimensions) return [...vector];
  } catch (error) {
    if (!(error instanceof UnfitRowsError)) throw error;
    assertNone([{ field, reason: "INPUT_UNFIT", description: error.message }]);
  }
  const description = `the model does not answer a vector of ${dimensions} numbers to it`;
  assertNone([{ field, reason: "INPUT_UNFIT", description }]);
  return [];
}

/** With the columns that were asked for, row by row: a search finds few, and each is found by its place. */
async function withData(
  dependencies: Pick<SearchVectorsDependencies, "cache" | "engine">,
  version: ReadyVersion,
  { rows, columns }: { rows: readonly NearRow[]; columns: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<VectorMatch[]> {
  const plain = rows.map(({ row, distance }) => ({ row, distance, data: "{}" }));
  if (!columns || plain.length === 0) return plain;
  const { organisationId } = version;
  return await onData(dependencies, version, signal, async (path) => {
    const matches: VectorMatch[] = [];
    for (const match of plain) {
      const wanted = { organisationId, files: [path], columns, offset: match.row, limit: 1, signal };
      const [data = "{}"] = objectsOf((await dependencies.engine.rows(wanted)).body);
      matches.push({ ...match, data });
    }
    return matches;
  });
}
