import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { Batch } from "@uwdata/flechette";
import { ArrowFault, damaged } from "./arrow-fault.ts";

/** The value of a row of a record batch. @throws ArrowFault */
export type ReadValue = (index: number) => DuckDBValue;

/** A column of a file, as it is stored. */
export interface DuckColumn {
  readonly type: DuckDBType;
  /** No value of it has a type: it takes that of other files. */
  readonly isOpen?: boolean;
  /** Looks at the buffers of a record batch, and reads its values. @throws ArrowFault */
  readonly open: (batch: Batch<unknown>) => ReadValue;
}

/** A column whose values may be missing. `open` reads those that are there. */
export function readable(type: DuckDBType, open: DuckColumn["open"]): DuckColumn {
  return {
    type,
    open(batch) {
      const { nullCount, validity, length } = batch;
      const read = open(batch);
      if (nullCount === 0) return read;
      assertBits(validity, length);
      return (index) => (bitOf(validity, index) ? read(index) : null);
    },
  };
}

/** Counts what the values of rows take, so that rows are stored before they take much. */
export class RowMeter {
  bytes = 0;
  #cell = 0;
  readonly #maxCell: number;

  constructor(maxCell: number) {
    this.#maxCell = maxCell;
  }

  /** The value of a row and a column begins. */
  begin(): void {
    this.#cell = 0;
  }

  /** Before the value, or a part of it, is made. @throws ArrowFault */
  take(bytes: number): void {
    this.bytes += bytes;
    this.#cell += bytes;
    if (this.#cell <= this.#maxCell) return;
    const message = `A value takes more than ${this.#maxCell} bytes`;
    throw new ArrowFault({ rule: "cell", message, remedy: "Keep large values out of the file." });
  }
}

export const notOfType = (message: string, remedy = "Correct the value, or give the column another type.") =>
  new ArrowFault({ rule: "type", message, remedy });

export const bitOf = (bits: Uint8Array, index: number) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

export function assertBits(bits: Uint8Array | undefined, length: number): void {
  if (!bits || bits.length * 8 < length) throw damaged("A column has fewer values than rows");
}

type Numbers =
  | (Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array)
  | (Uint8Array | Uint16Array | Uint32Array | BigUint64Array);

type NumbersKind = abstract new (...parts: never[]) => Numbers;

/** The values of a column of numbers: so many of them for each row. */
export function numbersOf<K extends NumbersKind>(batch: Batch<unknown>, kind: K, perRow = 1): InstanceType<K> {
  const { values, length } = batch;
  if (!isOf(values, kind) || values.length < length * perRow) throw damaged("A column has fewer values than rows");
  return values;
}

const isOf = <K extends NumbersKind>(values: unknown, kind: K): values is InstanceType<K> => values instanceof kind;

/** Where the values of each row begin, and the last ones end: in order, and within `limit`. */
export function offsetsOf({ offsets, length }: Batch<unknown>, limit: number): Int32Array {
  if (length === 0) return Int32Array.of(0);
  if (!offsets || offsets.length < length + 1) throw damaged("A column has fewer places than rows");
  const places = new Int32Array(length + 1);
  let last = 0;
  for (let index = 0; index <= length; index++) {
    const place = Number(offsets[index]);
    if (place < last || place > limit)
      throw damaged("A value begins before the one before it ends, or ends behind its buffer");
    places[index] = place;
    last = place;
  }
  return places;
}
