import {
  BIGINT,
  BLOB,
  BOOLEAN,
  blobValue,
  DATE,
  DECIMAL,
  DOUBLE,
  type DuckDBType,
  dateValue,
  decimalValue,
  FLOAT,
  INTEGER,
  LIST,
  listValue,
  MAP,
  mapValue,
  SMALLINT,
  STRUCT,
  structValue,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import * as arrow from "@uwdata/flechette";
import { damaged, unsupported } from "./arrow-fault.ts";
import { binaryReader, textReader } from "./byte-readers.ts";
import {
  bitOf,
  type DuckColumn,
  notOfType,
  numbersOf,
  offsetsOf,
  type ReadValue,
  type RowMeter,
  readable,
} from "./duck-column.ts";
import { timeColumn, timestampColumn } from "./time-columns.ts";

const { Type } = arrow;
const integers: Readonly<Record<string, DuckDBType>> = {
  ...{ "8 true": TINYINT, "16 true": SMALLINT, "32 true": INTEGER, "64 true": BIGINT },
  ...{ "8 false": UTINYINT, "16 false": USMALLINT, "32 false": UINTEGER, "64 false": UBIGINT },
};
const dayMs = 86_400_000n;
const maxDays = 2n ** 31n - 2n;
const maxDigits = 38;
/** What an item of a list takes where it is read, at least. */
const itemBytes = 8;

/** How a type of Arrow is stored, and its values are read. @throws ArrowFault a type that is not read */
export function duckColumn(type: arrow.DataType, meter: RowMeter): DuckColumn {
  switch (type.typeId) {
    case Type.Null:
      return { type: VARCHAR, isOpen: true, open: () => () => null };
    case Type.Bool:
      return readable(BOOLEAN, (batch) => {
        const bits = numbersOf(batch, Uint8Array, 1 / 8);
        return (index) => bitOf(bits, index);
      });
    case Type.Int:
      return plain(integers[`${type.bitWidth} ${type.signed}`] ?? BIGINT, type.values);
    case Type.Float:
      if (type.precision === arrow.Precision.HALF) return halfColumn();
      return plain(type.precision === arrow.Precision.SINGLE ? FLOAT : DOUBLE, type.values);
    case Type.Decimal:
      return decimalColumn(type);
    case Type.Date:
      return dateColumn(type);
    case Type.Time:
      return timeColumn(type);
    case Type.Timestamp:
      return timestampColumn(type);
    case Type.Dictionary:
      return dictionaryColumn(type, meter);
    default:
      return bytesColumn(type, meter) ?? nestedColumn(type, meter);
  }
}

function bytesColumn(type: arrow.DataType, meter: RowMeter): DuckColumn | undefined {
  switch (type.typeId) {
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return readable(VARCHAR, (batch) => textReader(batch, meter));
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary: {
      const stride = type.typeId === Type.FixedSizeBinary ? type.stride : undefined;
      return readable(BLOB, (batch) => {
        const read = binaryReader(batch, meter, stride);
        return (index) => blobValue(read(index));
      });
    }
    default:
      return undefined;
  }
}

function nestedColumn(type: arrow.DataType, meter: RowMeter): DuckColumn {
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList:
      return listColumn(duckColumn(type.children[0].type, meter), meter);
    case Type.FixedSizeList:
      return listColumn(duckColumn(itemOf(type.children).type, meter), meter, type.stride);
    case Type.Struct:
      return structColumn(type, meter);
    case Type.Map:
      return mapColumn(type, meter);
    default: {
      const name = Object.entries(Type).find(([, id]) => id === type.typeId)?.[0] ?? "unknown";
      const remedy = "Cast the column to numbers, texts, lists or structures, and write the file again.";
      throw unsupported(`The type ${name} is not read`, remedy);
    }
  }
}

const plain = (type: DuckDBType, values: arrow.IntType["values"] | arrow.FloatType["values"]): DuckColumn =>
  readable(type, (batch) => {
    const numbers = numbersOf(batch, values);
    return (index) => numbers[index] ?? null;
  });

/** DuckDB has no numbers of 16 bits; flechette decodes them. */
const halfColumn = () =>
  readable(FLOAT, (batch) => {
    numbersOf(batch, Uint16Array);
    return (index) => Number(batch.value(index));
  });

function decimalColumn({ precision, scale, bitWidth, values }: arrow.DecimalType): DuckColumn {
  if (precision < 1 || precision > maxDigits || scale < 0 || scale > precision)
    throw unsupported(
      `Decimals of ${precision} digits, ${scale} of them behind the point, are not read`,
      `Cast the column to decimal128 with ${maxDigits} digits at most, or to text.`,
    );
  const bound = 10n ** BigInt(precision);
  return readable(DECIMAL(precision, scale), (batch) => {
    numbersOf(batch, values, bitWidth === 32 ? 1 : bitWidth / 64);
    return (index) => {
      const value = BigInt(batch.value(index) as number | bigint);
      if (value >= bound || value <= -bound) throw notOfType("A decimal has more digits than its type");
      return decimalValue(value, precision, scale);
    };
  });
}

function dateColumn({ unit, values }: arrow.DateType): DuckColumn {
  return readable(DATE, (batch) => {
    const numbers = numbersOf(batch, values);
    return (index) => {
      const value = BigInt(numbers[index] ?? 0);
      const days = unit === arrow.DateUnit.DAY ? value : (value - (((value % dayMs) + dayMs) % dayMs)) / dayMs;
      if (days > maxDays || days < -maxDays) throw notOfType("A date is out of bounds");
      return dateValue(Number(days));
    };
  });
}

/** A list of any length, or with `stride` of that one. */
function listColumn(item: DuckColumn, meter: RowMeter, stride?: number): DuckColumn {
  return readable(LIST(item.type), (batch) => {
    const items = childOf(batch.children);
    const range = stride === undefined ? rangesOf(batch, items.length) : strideOf(batch, items.length, stride);
    const read = item.open(items);
    return (index) => {
      const [start, end] = range(index);
      meter.take((end - start) * itemBytes);
      return listValue(Array.from({ length: end - start }, (_, at) => read(start + at)));
    };
  });
}

type Range = (index: number) => readonly [start: number, end: number];

function rangesOf(batch: arrow.Batch<unknown>, length: number): Range {
  const offsets = offsetsOf(batch, length);
  return (index) => [offsets[index] ?? 0, offsets[index + 1] ?? 0];
}

function strideOf(batch: arrow.Batch<unknown>, length: number, stride: number): Range {
  if (stride < 0 || batch.length * stride > length) throw damaged("A list has fewer items than it says");
  return (index) => [index * stride, (index + 1) * stride];
}

function structColumn({ children }: arrow.StructType, meter: RowMeter): DuckColumn {
  const names = children.map(({ name }) => name);
  if (names.length === 0 || names.includes("") || new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw unsupported(
      "A structure has no fields, one without a name, or two of one name",
      "Give each structure fields with names that differ in more than upper and lower case.",
    );
  const parts = children.map(({ type }) => duckColumn(type, meter));
  const type = STRUCT(Object.fromEntries(parts.map((part, index) => [names[index] ?? "", part.type])));
  return readable(type, (batch) => {
    const readers = parts.map((part, index) => part.open(childOf(batch.children, index, batch.length)));
    return (row) => structValue(Object.fromEntries(readers.map((read, index) => [names[index] ?? "", read(row)])));
  });
}

function mapColumn({ children: [entries] }: arrow.MapType, meter: RowMeter): DuckColumn {
  const [keyField, valueField] = entries.type.typeId === Type.Struct ? entries.type.children : [];
  if (!keyField || !valueField) throw damaged("A map has no keys and values");
  const [key, value] = [duckColumn(keyField.type, meter), duckColumn(valueField.type, meter)];
  return readable(MAP(key.type, value.type), (batch) => {
    const pairs = childOf(batch.children);
    const range = rangesOf(batch, pairs.length);
    const readKey = key.open(childOf(pairs.children, 0, pairs.length));
    const readValue = value.open(childOf(pairs.children, 1, pairs.length));
    return (index) => {
      const [start, end] = range(index);
      meter.take((end - start) * itemBytes);
      const found = Array.from({ length: end - start }, (_, at) => ({
        ...{ key: readKey(start + at), value: readValue(start + at) },
      }));
      const keys = new Set(found.map((pair) => String(pair.key)));
      if (keys.size < found.length || found.some((pair) => pair.key === null))
        throw notOfType("A map has a key twice, or none for a value");
      return mapValue(found);
    };
  });
}

function dictionaryColumn({ dictionary, indices }: arrow.DictionaryType, meter: RowMeter): DuckColumn {
  const values = duckColumn(dictionary, meter);
  // Record batches that are decoded together share it.
  let opened: { column: arrow.Column<unknown>; parts: { length: number; read: ReadValue }[] } | undefined;
  return readable(values.type, (batch) => {
    const numbers = numbersOf(batch, indices.values);
    const { dictionary: column } = batch as arrow.Batch<unknown> & { readonly dictionary?: arrow.Column<unknown> };
    if (!column) throw damaged("A dictionary is missing before the record batch that refers to it");
    if (opened?.column !== column)
      opened = { column, parts: column.data.map((part) => ({ length: part.length, read: values.open(part) })) };
    const { parts } = opened;
    return (index) => {
      let place = Number(numbers[index] ?? -1);
      if (place < 0) throw damaged("A value refers to nothing in its dictionary");
      for (const { length, read } of parts) {
        if (place < length) return read(place);
        place -= length;
      }
      throw damaged("A value refers to nothing in its dictionary");
    };
  });
}

/** What is within a list, a map or a structure. `length`: how many values there have to be. */
function childOf(children: readonly arrow.Batch<unknown>[], index = 0, length = 0): arrow.Batch<unknown> {
  const child = itemOf(children, index);
  if (child.length < length) throw damaged("A structure has fewer values than rows");
  return child;
}

function itemOf<T>(children: readonly T[], index = 0): T {
  const child = children[index];
  if (child === undefined) throw damaged("A list, a map or a structure has no values");
  return child;
}
