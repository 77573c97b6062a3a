import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { DataEngine, WrittenFile } from "@aiplatform/data-engine";
import type { EmbeddingPart } from "./embedding-part-store.ts";
import { digits32 } from "./row-inputs.ts";

/** Numbers that are read at once: they stand in memory. */
export const pieceNumbers = 8_000_000;

export interface VectorFile {
  organisationId: string;
  dimensions: number;
  /** Where pieces are put; it is removed later, with what is in it. */
  folder: string;
  output: string;
  /** Numbers of a piece. Default 8,000,000. */
  maxPieceNumbers?: number;
}

/** Writes the vectors of parts, in their order, into one Parquet file with `row`, `key` and `vector`. @throws what the engine throws */
export async function writeVectorFile(
  engine: Pick<DataEngine, "convert" | "queryToFile">,
  parts: AsyncIterable<EmbeddingPart>,
  file: VectorFile,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const { organisationId, dimensions, output } = file;
  const pieces = await stagePieces(engine, parts, file, signal);
  // Each piece has types of its own: one may have whole numbers alone. In the order of the pieces, which is that of the rows.
  const views = Object.fromEntries(pieces.map((path, at) => [`piece_${at}`, [path]]));
  const sql = Object.keys(views)
    .map((view) => `SELECT "row", "key", CAST(vector AS FLOAT[${dimensions}]) AS vector FROM ${view}`)
    .join(" UNION ALL ");
  return await engine.queryToFile({ organisationId, views, sql, output, signal });
}

/** All vectors in Parquet files, one behind the other. */
async function stagePieces(
  engine: Pick<DataEngine, "convert">,
  parts: AsyncIterable<EmbeddingPart>,
  { organisationId, dimensions, folder, maxPieceNumbers = pieceNumbers }: VectorFile,
  signal: AbortSignal,
): Promise<string[]> {
  const maxRows = Math.max(1, Math.floor(maxPieceNumbers / dimensions));
  const staged: string[] = [];
  const path = join(folder, "vectors.jsonl");
  let file: FileHandle | undefined;
  let rows = 0;
  const finish = async () => {
    await file?.close();
    file = undefined;
    if (rows === 0) return;
    rows = 0;
    const output = join(folder, `staged-${staged.length}.parquet`);
    const files = [{ path, name: "vectors", format: "jsonl" as const }];
    await engine.convert({ organisationId, files, output, signal });
    staged.push(output);
  };
  try {
    for await (const part of parts) {
      signal.throwIfAborted();
      if (rows > 0 && rows + part.vectors.length > maxRows) await finish();
      file ??= await open(path, "w", 0o644);
      await file.writeFile(linesOf(part));
      rows += part.vectors.length;
    }
    await finish();
  } finally {
    await file?.close();
  }
  return staged;
}

/** A part as lines of JSON, with numbers that are exact in 32 bits. */
function linesOf({ firstRow, keys, vectors }: EmbeddingPart): string {
  return vectors
    .map((vector, at) => {
      const numbers = Array.from(vector, (number) => Number(number.toPrecision(digits32)));
      return `${JSON.stringify({ row: firstRow + at, key: keys[at], vector: numbers })}\n`;
    })
    .join("");
}
