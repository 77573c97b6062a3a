import { CompressionType, Type } from "@uwdata/flechette";
import { damaged, unsupported } from "./arrow-fault.ts";
import { type Fields, FlatMetadata, type Part, type TableCheck } from "./flat-metadata.ts";

/** What a message of a file is, as far as it has to be known before it is read. */
export interface IpcMetadata {
  readonly kind: "schema" | "dictionary" | "batch";
  /** Of its body. */
  readonly bodyBytes: number;
  /** Of a dictionary: its number, and whether it adds to what was there. */
  readonly dictionary?: { readonly id: number; readonly isDelta: boolean };
  /** Of a dictionary and a record batch. */
  readonly batch?: BatchMetadata;
}

export interface BatchMetadata {
  readonly rows: number;
  /** Values of the column that has most, those within lists included. */
  readonly maxValues: number;
  readonly buffers: readonly { readonly offset: number; readonly bytes: number }[];
  /** One of `CompressionType`. */
  readonly codec: number | undefined;
}

const text: Part = { kind: "text" };
const keyValue: TableCheck = () => ({ 0: text, 1: text });
const leaf: TableCheck = () => ({});
/** Where types have texts and lists of their own. */
const partsOfTypes: Readonly<Record<number, Readonly<Record<number, Part>>>> = {
  [Type.Timestamp]: { 1: text },
  [Type.Union]: { 1: { kind: "structs", bytes: 4 } },
};
const dictionaryEncoding: TableCheck = () => ({ 1: { kind: "table", check: leaf } });
const fieldTable: TableCheck = (fields, flat) => {
  const typeId = intOf(flat, fields(2), 1);
  if (fields(3) === undefined) throw damaged("A column has no type");
  return {
    0: text,
    3: { kind: "table", check: () => partsOfTypes[typeId] ?? {} },
    4: { kind: "table", check: dictionaryEncoding },
    5: { kind: "tables", check: fieldTable },
    6: { kind: "tables", check: keyValue },
  };
};
const schemaTable: TableCheck = (fields, flat) => {
  if (intOf(flat, fields(0), 2) !== 0)
    throw unsupported("The numbers of the file are big-endian", "Write it on a machine with little-endian numbers.");
  return { 1: { kind: "tables", check: fieldTable }, 2: { kind: "tables", check: keyValue } };
};
const batchTable: TableCheck = () => ({
  1: { kind: "structs", bytes: 16 },
  2: { kind: "structs", bytes: 16 },
  3: { kind: "table", check: leaf },
  4: { kind: "structs", bytes: 8 },
});
const dictionaryTable: TableCheck = () => ({ 1: { kind: "table", check: batchTable } });

/** Headers of messages by their numbers in the format. */
const kinds: Readonly<Record<number, readonly [IpcMetadata["kind"], TableCheck]>> = {
  1: ["schema", schemaTable],
  2: ["dictionary", dictionaryTable],
  3: ["batch", batchTable],
};

/** The oldest version of messages that is read, by its number: that of Arrow 0.8 and later. */
const oldestVersion = 3;

/** Looks at the metadata of a message, all of it. @throws ArrowFault */
export function readMetadata(bytes: Uint8Array): IpcMetadata {
  const flat = new FlatMetadata(bytes);
  const message = flat.table(0);
  if (intOf(flat, message(0), 2) < oldestVersion)
    throw unsupported("The file is of an old version of the format", "Write it with Arrow 1.0 or a later version.");
  const [kind, check] = kinds[intOf(flat, message(1), 1)] ?? [];
  const header = message(2);
  if (!kind || !check || header === undefined)
    throw damaged("A message is neither schema nor dictionary nor record batch");
  flat.check(header, check);
  const bodyBytes = intOf(flat, message(3), 8);
  if (bodyBytes < 0) throw damaged("A message has a length below zero");
  if (kind === "schema") return { kind, bodyBytes };
  const table = flat.table(header);
  if (kind === "batch") return { kind, bodyBytes, batch: batchOf(flat, table) };
  const data = table(1);
  if (data === undefined) throw damaged("A dictionary has no values");
  const dictionary = { id: intOf(flat, table(0), 8), isDelta: intOf(flat, table(2), 1) !== 0 };
  return { kind, bodyBytes, dictionary, batch: batchOf(flat, flat.table(data)) };
}

function batchOf(flat: FlatMetadata, table: Fields): BatchMetadata {
  const rows = intOf(flat, table(0), 8);
  if (rows < 0) throw damaged("A record batch has less than no rows");
  let maxValues = 0;
  for (const [length = 0, nulls = 0] of pairs(flat, table(1))) {
    if (length < 0 || nulls < 0 || nulls > length)
      throw damaged("A column has a length below zero, or more nulls than values");
    maxValues = Math.max(maxValues, length);
  }
  const buffers = pairs(flat, table(2)).map(([offset = 0, bytes = 0]) => ({ offset, bytes }));
  const compression = table(3);
  const codec = compression === undefined ? undefined : intOf(flat, flat.table(compression)(0), 1);
  return {
    rows,
    maxValues,
    buffers,
    codec: codec ?? (compression === undefined ? undefined : CompressionType.LZ4_FRAME),
  };
}

/** Structs of two long numbers. */
function pairs(flat: FlatMetadata, at: number | undefined): number[][] {
  if (at === undefined) return [];
  const { start, count } = flat.list(at, 16);
  return Array.from({ length: count }, (_, index) => [
    flat.int(start + 16 * index, 8),
    flat.int(start + 16 * index + 8, 8),
  ]);
}

const intOf = (flat: FlatMetadata, at: number | undefined, bytes: 1 | 2 | 8): number =>
  at === undefined ? 0 : flat.int(at, bytes);
