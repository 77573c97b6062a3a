import type { ColumnType } from "@aiplatform/column-types";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import type { Column } from "../dataset.ts";
import { ThriftError, type ThriftField, thriftFields } from "./thrift-fields.ts";
import { assertColumnNames, unreadable } from "./unreadable-sample.ts";

const magic = "PAR1";
const encryptedMagic = "PARE";
/** Length of the footer and the magic, behind it. */
const tailBytes = 8;
/** Numbers of fields in the format's FileMetaData. */
const fields = { version: 1, schema: 2, rows: 3, rowGroups: 4 };
/** The beginning of an empty list of structures. */
const emptyList = Uint8Array.of(0x0c);

/**
 * Columns of a Parquet file from its footer, so the end of the file is enough. A column of columns, and one that
 * repeats, is one column of text.
 * @throws InvalidFieldsError
 */
export function readParquet(bytes: Uint8Array): Column[] {
  const columns = topLevel(schemaOf(bytes)).map((element) => ({ name: element.name, type: typeOf(element) }));
  assertColumnNames(columns.map(({ name }) => name));
  return columns;
}

function schemaOf(bytes: Uint8Array): SchemaElement[] {
  const footer = footerOf(bytes);
  try {
    return parquetMetadata(onlySchema(footer), { geoparquet: false }).schema;
  } catch (error) {
    if (error instanceof ThriftError) throw unreadable(`The footer of the file is damaged: ${error.message}`);
    // Whatever else the parser stumbles over, in words of its own, is the file's fault: it was given these bytes alone.
    throw unreadable("The footer of the file is damaged");
  }
}

function footerOf(bytes: Uint8Array): Uint8Array {
  const end = Buffer.from(bytes.subarray(-magic.length)).toString("latin1");
  if (end === encryptedMagic) throw unreadable("The file is encrypted");
  if (end !== magic || bytes.length < tailBytes) {
    throw unreadable("The file does not end as a Parquet file does: it is another, or its end is missing");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(bytes.length - tailBytes, true);
  const begin = bytes.length - tailBytes - length;
  if (begin < 0) throw unreadable(`The footer has ${length} bytes, and not all of them are in the sample`);
  return bytes.subarray(begin, bytes.length - tailBytes);
}

/**
 * A file that has nothing but the schema. Statistics and other facts about the data are left out: this reader does not
 * need them, they can be large, and a crafted file can make the parser read them for ever.
 */
function onlySchema(footer: Uint8Array): Uint8Array {
  const found = thriftFields(footer);
  const copied = [fields.version, fields.schema, fields.rows].map((id) => {
    const field = found.get(id);
    if (field === undefined) throw new ThriftError("a field that every file has is missing");
    return withHeader(field, footer.subarray(field.start, field.end));
  });
  const listType = found.get(fields.rowGroups)?.type;
  if (listType === undefined) throw new ThriftError("a field that every file has is missing");
  const rowGroups = withHeader({ type: listType }, emptyList);
  const metadata = Buffer.concat([...copied, rowGroups, Uint8Array.of(0)]);
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(metadata.length);
  tail.write(magic, 4);
  return Buffer.concat([metadata, tail]);
}

/** A field whose number is the next one. */
function withHeader({ type }: Pick<ThriftField, "type">, value: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of((1 << 4) | type), value]);
}

/** The schema is a tree, stored parents first; its root is the table. */
function topLevel(schema: readonly SchemaElement[]): SchemaElement[] {
  const [root, ...elements] = schema;
  const damaged = unreadable("The footer of the file is damaged: its schema is not whole");
  const columns: SchemaElement[] = [];
  let below = 0;
  for (const element of elements) {
    // Whatever type the file gives to these fields is the type that they have.
    if (typeof element.name !== "string" || typeof (element.num_children ?? 0) !== "number") throw damaged;
    if (below === 0) columns.push(element);
    else below -= 1;
    below += Math.max(0, element.num_children ?? 0);
  }
  if (root === undefined || below > 0 || columns.length !== (root.num_children ?? 0)) {
    throw damaged;
  }
  return columns;
}

const logicalTypes: Readonly<Record<string, ColumnType>> = {
  DATE: "date",
  TIMESTAMP: "date_time",
  TIMESTAMP_MILLIS: "date_time",
  TIMESTAMP_MICROS: "date_time",
  INTEGER: "integer",
  FLOAT16: "number",
};

const physicalTypes: Readonly<Record<string, ColumnType>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "integer",
  // Only ever used for points in time.
  INT96: "date_time",
  FLOAT: "number",
  DOUBLE: "number",
};

function typeOf(element: SchemaElement): ColumnType {
  const { type, converted_type: converted, logical_type: logical, num_children: children } = element;
  if (type === undefined || children || element.repetition_type === "REPEATED") return "string";
  const said = logical?.type ?? converted;
  if (said === "DECIMAL") return (element.scale ?? 0) === 0 ? "integer" : "number";
  // The format stores a time of day as a number, but a reader of the data does not see a number.
  if (said?.startsWith("TIME_") || said === "TIME") return "string";
  return logicalTypes[said ?? ""] ?? physicalTypes[type] ?? "string";
}
