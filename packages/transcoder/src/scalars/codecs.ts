import { ScalarType } from "@bufbuild/protobuf";
import { type Fault, faults } from "../errors/fault.ts";
import type { JsonView } from "../json/view.ts";
import { type Instant, readDateTime, readEpoch } from "./date-time.ts";
import { integerOf, readBooleanText, readFloatText, readIntegerText } from "./number.ts";
import { readUuid } from "./uuid.ts";

/** How a value of one type is read, from JSON and from a text (path, query, header). */
export interface Codec<T> {
  readonly fromJson: (view: JsonView) => T | Fault;
  readonly fromText: (text: string) => T | Fault;
}

/** Texts are never made of numbers or truth values. */
export const stringCodec: Codec<string> = {
  fromJson: (view) => (view.kind === "string" ? view.string : faults.string),
  fromText: (text) => text,
};

/** Takes every spelling that pydantic takes; the value is lower-case and hyphenated. */
export const uuidCodec: Codec<string> = {
  fromJson: (view) => (view.kind === "string" ? readUuid(view.string) : faults.uuid),
  fromText: readUuid,
};

/** Integers of any size. */
export const integerCodec: Codec<number | bigint> = {
  fromJson(view) {
    const { kind } = view;
    if (kind === "number") return integerOfNumber(view.raw);
    if (kind === "string") return readIntegerText(view.string);
    return kind === "boolean" ? Number(view.raw === "true") : faults.integer;
  },
  fromText: readIntegerText,
};

/** Floating-point numbers; an integer beyond their range becomes infinite. */
export const floatCodec: Codec<number> = {
  fromJson(view) {
    const { kind } = view;
    if (kind === "number") return Number(view.raw);
    if (kind === "string") return readFloatText(view.string);
    return kind === "boolean" ? Number(view.raw === "true") : faults.number;
  },
  fromText: readFloatText,
};

export const booleanCodec: Codec<boolean> = {
  fromJson(view) {
    const { kind } = view;
    if (kind === "boolean") return view.raw === "true";
    if (kind === "string") return readBooleanText(view.string);
    if (kind !== "number") return faults.boolean;
    const value = Number(view.raw);
    if (value === 0 || value === 1) return value === 1;
    return Number.isInteger(value) ? faults.booleanText : faults.boolean;
  },
  fromText: readBooleanText,
};

/** Bytes are base64 text. */
export const bytesCodec: Codec<Uint8Array> = {
  fromJson: (view) => (view.kind === "string" ? readBase64(view.string) : faults.bytes),
  fromText: readBase64,
};

/** `needsZone`: a text without an offset is refused, and not taken as UTC. */
export function dateTimeCodec(needsZone: boolean): Codec<Instant> {
  return {
    fromJson(view) {
      if (view.kind === "string") return readDateTime(view.string, needsZone);
      return view.kind === "number" ? readEpoch(Number(view.raw)) : faults.dateTime;
    },
    fromText: (text) => readDateTime(text, needsZone),
  };
}

function readBase64(text: string): Uint8Array | Fault {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return faults.base64;
  return new Uint8Array(Buffer.from(text, "base64"));
}

function integerOfNumber(raw: string): number | bigint | Fault {
  if (/^-?\d+$/.test(raw)) return integerOf(raw.startsWith("-"), raw.replace("-", ""));
  const value = Number(raw);
  if (!Number.isInteger(value)) return faults.fraction;
  return Math.abs(value) < 2 ** 63 ? integerOf(value < 0, BigInt(Math.abs(value)).toString()) : faults.integerSize;
}

const signed32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n, isBig: false };
const unsigned32 = { min: 0n, max: 2n ** 32n - 1n, isBig: false };
const signed64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n, isBig: true };
const unsigned64 = { min: 0n, max: 2n ** 64n - 1n, isBig: true };

/** What an integer type can hold. */
export const integerRanges = new Map([
  [ScalarType.INT32, signed32],
  [ScalarType.SINT32, signed32],
  [ScalarType.SFIXED32, signed32],
  [ScalarType.UINT32, unsigned32],
  [ScalarType.FIXED32, unsigned32],
  [ScalarType.INT64, signed64],
  [ScalarType.SINT64, signed64],
  [ScalarType.SFIXED64, signed64],
  [ScalarType.UINT64, unsigned64],
  [ScalarType.FIXED64, unsigned64],
]);

/** Integers have no upper end in the dialect: one beyond the type's range becomes the end of it. */
export function saturate(scalar: ScalarType, value: number | bigint): number | bigint {
  const range = integerRanges.get(scalar) ?? signed64;
  const clamped = value < range.min ? range.min : value > range.max ? range.max : value;
  return range.isBig ? BigInt(clamped) : Number(clamped);
}
