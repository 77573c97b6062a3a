import {
  type DuckDBArrayType,
  type DuckDBBlobValue,
  type DuckDBDateValue,
  type DuckDBDecimalType,
  type DuckDBDecimalValue,
  type DuckDBListType,
  type DuckDBListValue,
  type DuckDBMapType,
  type DuckDBMapValue,
  type DuckDBStructType,
  type DuckDBStructValue,
  type DuckDBTimestampMillisecondsValue,
  type DuckDBTimestampNanosecondsValue,
  type DuckDBTimestampSecondsValue,
  type DuckDBTimestampTZValue,
  type DuckDBTimestampValue,
  type DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import * as arrow from "@uwdata/flechette";
import { QueryFailure } from "../duckdb/query-failure.ts";
import { jsonOf } from "../duckdb/values.ts";

/** How the values of a type of DuckDB are written as Arrow. */
export interface ArrowColumn {
  readonly type: arrow.DataType;
  /**
   * A type with the same buffers as `type`, for which builders take values as they are: those of times take fractions of milliseconds,
   * which lose digits.
   */
  readonly storage: arrow.DataType;
  /** A value that is there, as the builder of `storage` takes it. */
  readonly write: (value: DuckDBValue) => unknown;
}

const { SECOND, MILLISECOND, MICROSECOND, NANOSECOND } = arrow.TimeUnit;
const same = (value: DuckDBValue) => value;

/** A type that its builder takes as it is. */
const plain = (type: arrow.DataType, write: ArrowColumn["write"] = same): ArrowColumn => ({
  type,
  storage: type,
  write,
});
const days = (write: ArrowColumn["write"]): ArrowColumn => ({ type: arrow.dateDay(), storage: arrow.int32(), write });
const ticks = (type: arrow.DataType, write: ArrowColumn["write"]): ArrowColumn => ({
  ...{ type, storage: arrow.int64(), write },
});
/** What Arrow has no type for, as JSON has it: a text, or JSON in a text. */
const text = plain(arrow.utf8(), textOf);

function textOf(value: DuckDBValue): string | null {
  const json = jsonOf(value);
  return json === null || typeof json === "string" ? json : JSON.stringify(json);
}

const widestDigits = 38;
const widest = 10n ** BigInt(widestDigits);

function wideInteger(value: DuckDBValue): bigint {
  // A value of this type is a bigint.
  const integer = value as bigint;
  if (integer < widest && integer > -widest) return integer;
  throw new QueryFailure({
    message: `An integer has more than ${widestDigits} digits, which decimals of Arrow have at most`,
    remedy: "Cast the column to DOUBLE or VARCHAR, or ask for JSON.",
  });
}

/** The types without parts. A type that is neither here nor below is a text. */
const simple: Readonly<Partial<Record<DuckDBTypeId, ArrowColumn>>> = {
  [DuckDBTypeId.SQLNULL]: plain(arrow.nullType()),
  [DuckDBTypeId.BOOLEAN]: plain(arrow.bool()),
  [DuckDBTypeId.TINYINT]: plain(arrow.int8()),
  [DuckDBTypeId.SMALLINT]: plain(arrow.int16()),
  [DuckDBTypeId.INTEGER]: plain(arrow.int32()),
  [DuckDBTypeId.BIGINT]: plain(arrow.int64()),
  [DuckDBTypeId.UTINYINT]: plain(arrow.uint8()),
  [DuckDBTypeId.USMALLINT]: plain(arrow.uint16()),
  [DuckDBTypeId.UINTEGER]: plain(arrow.uint32()),
  [DuckDBTypeId.UBIGINT]: plain(arrow.uint64()),
  [DuckDBTypeId.HUGEINT]: plain(arrow.decimal128(widestDigits, 0), wideInteger),
  [DuckDBTypeId.UHUGEINT]: plain(arrow.decimal128(widestDigits, 0), wideInteger),
  [DuckDBTypeId.FLOAT]: plain(arrow.float32()),
  [DuckDBTypeId.DOUBLE]: plain(arrow.float64()),
  [DuckDBTypeId.VARCHAR]: plain(arrow.utf8()),
  [DuckDBTypeId.BLOB]: plain(arrow.binary(), (value) => (value as DuckDBBlobValue).bytes),
  [DuckDBTypeId.DATE]: days((value) => (value as DuckDBDateValue).days),
  [DuckDBTypeId.TIME]: ticks(arrow.timeMicrosecond(), (value) => (value as DuckDBTimeValue).micros),
  [DuckDBTypeId.TIMESTAMP]: ticks(arrow.timestamp(MICROSECOND), (value) => (value as DuckDBTimestampValue).micros),
  [DuckDBTypeId.TIMESTAMP_S]: ticks(arrow.timestamp(SECOND), (value) => (value as DuckDBTimestampSecondsValue).seconds),
  [DuckDBTypeId.TIMESTAMP_MS]: ticks(
    arrow.timestamp(MILLISECOND),
    (value) => (value as DuckDBTimestampMillisecondsValue).millis,
  ),
  [DuckDBTypeId.TIMESTAMP_NS]: ticks(
    arrow.timestamp(NANOSECOND),
    (value) => (value as DuckDBTimestampNanosecondsValue).nanos,
  ),
  [DuckDBTypeId.TIMESTAMP_TZ]: ticks(
    arrow.timestamp(MICROSECOND, "UTC"),
    (value) => (value as DuckDBTimestampTZValue).micros,
  ),
};

/** The text of a value of a type that Arrow lacks; undefined: Arrow has the type. */
export const arrowText = (value: DuckDBValue, type: DuckDBType) =>
  arrowColumn(type) === text ? (textOf(value) ?? "") : undefined;

/** How a type of DuckDB is written. A type that Arrow lacks is a text. */
export function arrowColumn(type: DuckDBType): ArrowColumn {
  const found = simple[type.typeId];
  if (found) return found;
  // What a type is stands in its id.
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return plain(arrow.decimal128(width, scale), (value) => (value as DuckDBDecimalValue).value);
    }
    case DuckDBTypeId.LIST:
      return listColumn(arrowColumn((type as DuckDBListType).valueType), arrow.list);
    case DuckDBTypeId.ARRAY: {
      const { valueType, length } = type as DuckDBArrayType;
      return listColumn(arrowColumn(valueType), (item) => arrow.fixedSizeList(item, length));
    }
    case DuckDBTypeId.STRUCT:
      return structColumn(type as DuckDBStructType);
    case DuckDBTypeId.MAP:
      return mapColumn(type as DuckDBMapType);
    default:
      return text;
  }
}

function listColumn(item: ArrowColumn, listOf: (item: arrow.Field) => arrow.DataType): ArrowColumn {
  const write = orNull(item);
  return {
    type: listOf(arrow.field("item", item.type)),
    storage: listOf(arrow.field("item", item.storage)),
    write: (value) => (value as DuckDBListValue).items.map(write),
  };
}

function structColumn({ entryNames, entryTypes }: DuckDBStructType): ArrowColumn {
  const parts = entryNames.map((name, index) => {
    const column = arrowColumn(entryTypes[index] as DuckDBType);
    return { name, column, write: orNull(column) };
  });
  return {
    type: arrow.struct(parts.map(({ name, column }) => arrow.field(name, column.type))),
    storage: arrow.struct(parts.map(({ name, column }) => arrow.field(name, column.storage))),
    write: (value) => {
      const { entries } = value as DuckDBStructValue;
      return Object.fromEntries(parts.map(({ name, write }) => [name, write(entries[name] ?? null)]));
    },
  };
}

function mapColumn({ keyType, valueType }: DuckDBMapType): ArrowColumn {
  const [key, value] = [arrowColumn(keyType), arrowColumn(valueType)];
  const [writeKey, writeValue] = [orNull(key), orNull(value)];
  const typeOf = (form: "type" | "storage") =>
    arrow.map(arrow.field("key", key[form], false), arrow.field("value", value[form]));
  return {
    type: typeOf("type"),
    storage: typeOf("storage"),
    write: (map) => (map as DuckDBMapValue).entries.map((entry) => [writeKey(entry.key), writeValue(entry.value)]),
  };
}

const orNull =
  ({ write }: ArrowColumn) =>
  (value: DuckDBValue) =>
    value === null ? null : write(value);
