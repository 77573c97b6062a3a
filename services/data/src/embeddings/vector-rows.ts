import { digits32 } from "./row-inputs.ts";

/** A row of a file of vectors, with what was asked of it. */
export interface VectorRow {
  readonly row: number;
  readonly key: string;
  readonly vector: readonly number[];
  readonly distance: number;
}

/** Rows of a page of the engine, which says numbers, texts and lists of numbers; what was not asked for is empty. */
export function vectorRows(body: Uint8Array): VectorRow[] {
  const rows: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  return Array.isArray(rows) ? rows.map(vectorRowOf) : [];
}

function vectorRowOf(said: Partial<Record<keyof VectorRow, unknown>>): VectorRow {
  const { row, key, vector, distance } = said;
  return {
    row: Number(row ?? 0),
    key: typeof key === "string" ? key : "",
    vector: Array.isArray(vector) ? vector.map((number) => Number(Number(number).toPrecision(digits32))) : [],
    distance: Number(distance ?? 0),
  };
}
