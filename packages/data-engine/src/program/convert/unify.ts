import type { SourceColumn } from "./source.ts";

const beyond64Bits = /^(?:UBIGINT|U?HUGEINT|BIGNUM)$/;
const withOffset = "TIMESTAMP WITH TIME ZONE";

/** A column that can hold the values of both without a loss; undefined where the two do not fit together. */
export function unify(one: SourceColumn, other: SourceColumn): SourceColumn | undefined {
  if (one.isOpen) return { ...other, name: one.name };
  if (other.isOpen || one.type === other.type) return one;
  const kinds = new Set([one.kind, other.kind]);
  const are = (...allowed: SourceColumn["kind"][]) => [...kinds].every((kind) => allowed.includes(kind));
  if (are("integer")) {
    const isBig = beyond64Bits.test(one.type) || beyond64Bits.test(other.type);
    return { ...one, ...(isBig ? { type: "DECIMAL(38,0)", kind: "number" } : { type: "BIGINT" }) };
  }
  if (are("integer", "number")) return { ...one, type: "DOUBLE", kind: "number" };
  if (are("date", "date_time")) {
    const hasOffset = one.type === withOffset || other.type === withOffset;
    return { ...one, type: hasOffset ? withOffset : "TIMESTAMP", kind: "date_time" };
  }
  if (are("string")) return { ...one, type: "VARCHAR" };
  return undefined;
}
