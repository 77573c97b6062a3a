/**
 * LanceDB without anything around it: reads vectors from a Parquet file, builds an index as its guide says, and answers searches.
 * The folder in `LANCEDB_FOLDER` has it: `npm install --prefix FOLDER @lancedb/lancedb@0.39.0 apache-arrow@18.1.0`.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { DuckDBInstance, DuckDBListVector } from "@duckdb/node-api";
import { dimensions } from "./vectors-of-subjects.ts";

/** What of LanceDB is used; it has no types here, since it is no dependency. */
interface Search {
  distanceType(metric: "cosine"): Search;
  nprobes(count: number): Search;
  refineFactor(factor: number): Search;
  bypassVectorIndex(): Search;
  select(columns: readonly string[]): Search;
  limit(rows: number): Search;
  toArray(): Promise<readonly { readonly row: number | bigint }[]>;
}
interface Table {
  add(data: unknown): Promise<unknown>;
  createIndex(column: string, options: unknown): Promise<void>;
  search(vector: Float32Array): Search;
}
interface LanceDB {
  connect(folder: string): Promise<{ createTable(name: string, data: unknown): Promise<Table> }>;
  readonly Index: { ivfPq(options: unknown): unknown };
}
interface Arrow {
  readonly Float32: new () => unknown;
  readonly Int64: new () => unknown;
  readonly Field: new (name: string, type: unknown, nullable: boolean) => unknown;
  readonly FixedSizeList: new (length: number, child: unknown) => unknown;
  readonly Schema: new (fields: readonly unknown[]) => { readonly fields: readonly unknown[] };
  readonly Struct: new (fields: readonly unknown[]) => unknown;
  readonly RecordBatch: new (schema: unknown, data: unknown) => unknown;
  readonly Table: new (schema: unknown, batches: readonly unknown[]) => unknown;
  makeData(parts: unknown): unknown;
}

/** Searches its 1,000 parts as far as finds 0.96 of the nearest: 20 parts, and five times the rows with their whole vectors. */
const [partitions, subVectors, probes, refined] = [1_000, 48, 20, 5];

export interface LancePeer {
  /** The rows that it finds by its index. */
  readonly find: (vector: Float32Array, limit: number) => Promise<readonly number[]>;
  /** Those that are nearest in truth: it compares all. */
  readonly compareAll: (vector: Float32Array, limit: number) => Promise<readonly number[]>;
}

export async function openLance(installed: string, path: string, folder: string): Promise<LancePeer> {
  const require = createRequire(join(installed, "package.json"));
  const lance: LanceDB = require("@lancedb/lancedb");
  const arrow: Arrow = require("apache-arrow");
  const database = await lance.connect(join(folder, "lance"));
  let table: Table | undefined;
  for await (const batch of arrowBatches(arrow, path)) {
    if (table) await table.add(batch);
    else table = await database.createTable("vectors", batch);
  }
  if (!table) throw new Error("there are no vectors");
  const opened = table;
  const config = lance.Index.ivfPq({ distanceType: "cosine", numPartitions: partitions, numSubVectors: subVectors });
  await opened.createIndex("vector", { config, waitTimeoutSeconds: 7_200 });
  const rowsOf = async (search: Search, limit: number) =>
    (await search.select(["row", "_distance"]).limit(limit).toArray()).map(({ row }) => Number(row));
  const of = (vector: Float32Array) => opened.search(vector).distanceType("cosine");
  return {
    find: (vector, limit) => rowsOf(of(vector).nprobes(probes).refineFactor(refined), limit),
    compareAll: (vector, limit) => rowsOf(of(vector).bypassVectorIndex(), limit),
  };
}

async function* arrowBatches(arrow: Arrow, path: string): AsyncGenerator<unknown> {
  const float = new arrow.Float32();
  const long = new arrow.Int64();
  const list = new arrow.FixedSizeList(dimensions, new arrow.Field("item", float, true));
  const schema = new arrow.Schema([new arrow.Field("row", long, false), new arrow.Field("vector", list, false)]);
  const batchOf = (vectors: Float32Array, first: number) => {
    const length = vectors.length / dimensions;
    const places = BigInt64Array.from({ length }, (_, at) => BigInt(first + at));
    const child = arrow.makeData({ type: float, length: vectors.length, data: vectors });
    const children = [
      arrow.makeData({ type: long, length, data: places }),
      arrow.makeData({ type: list, length, child }),
    ];
    const data = arrow.makeData({ type: new arrow.Struct(schema.fields), length, children });
    return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)]);
  };
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const result = await connection.stream(`SELECT CAST(vector AS FLOAT[]) FROM read_parquet('${path}')`);
  let [first, rows] = [0, 0];
  let vectors = new Float32Array(batchRows * dimensions);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const lists = chunk.getColumnVector(0);
    if (!(lists instanceof DuckDBListVector)) throw new Error("there are no vectors");
    for (let at = 0; at < chunk.rowCount; at++, rows++) {
      if (rows === batchRows) {
        yield batchOf(vectors, first);
        [first, rows, vectors] = [first + batchRows, 0, new Float32Array(batchRows * dimensions)];
      }
      const from = lists.getEntryOffset(at);
      for (let place = 0; place < dimensions; place++)
        vectors[rows * dimensions + place] = Number(lists.childVector.getItem(from + place));
    }
  }
  if (rows > 0) yield batchOf(vectors.subarray(0, rows * dimensions), first);
  connection.closeSync();
  instance.closeSync();
}

const batchRows = 50_000;
