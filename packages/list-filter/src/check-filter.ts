import type { ListDeclaration, ListField } from "@aiplatform/transcoder";
import type { FieldPath, FilterText, Operator } from "./filter-text.ts";
import { ListFault } from "./list-fault.ts";
import type { Expression, Restriction } from "./parse-filter.ts";
import { readValue } from "./read-value.ts";

/** What a field is compared with. */
export type FilterValue = string | number | boolean | Date;

/** A comparison that the list allows. */
export interface Comparison {
  kind: "comparison";
  field: ListField;
  /** Of a map: the key behind the path; empty elsewhere. */
  key: string;
  /** `:` stands for "has any value". */
  operator: Operator;
  /** Undefined where any value is asked for. */
  value: FilterValue | undefined;
  /** The value as it was written: a number may have more digits than `value` can. */
  written: FilterText;
}

/** Fields that an error names at most. */
const maxNamed = 50;

/** A filter whose fields, operators and values fit the list. @throws ListFault */
export function checkFilter(filter: Expression<Restriction>, list: ListDeclaration): Expression<Comparison> {
  if (filter.kind === "restriction") return checkRestriction(filter, list);
  if (filter.kind === "not") return { kind: "not", of: checkFilter(filter.of, list) };
  return { kind: filter.kind, of: filter.of.map((each) => checkFilter(each, list)) };
}

function checkRestriction({ path, operator, value }: Restriction, list: ListDeclaration): Comparison {
  const asksForKey = operator === ":" ? mapNamed(path, list) : undefined;
  if (asksForKey)
    return comparison({ field: asksForKey, key: value.text }, operator, { value: undefined, written: value });
  const { field, key } = fieldAt(path, list.fields);
  if (!field.operators.includes(operator)) {
    throw new ListFault(
      path.offset,
      `${field.path} cannot be compared by ${operator}: use one of ${field.operators.join(" ")}`,
    );
  }
  const asksForAny = operator === ":" && !field.isRepeated;
  if (asksForAny && (value.isQuoted || value.text !== "*")) throw onlyAny(field, value);
  if (asksForAny) return comparison({ field, key }, operator, { value: undefined, written: value });
  return comparison({ field, key }, operator === ":" ? "=" : operator, {
    value: readValue(value, field),
    written: value,
  });
}

function comparison(
  of: Pick<Comparison, "field" | "key">,
  operator: Operator,
  to: Pick<Comparison, "value" | "written">,
): Comparison {
  return { kind: "comparison", ...of, operator, ...to };
}

function onlyAny({ path }: ListField, { offset }: FilterText): ListFault {
  return new ListFault(offset, `${path}: takes * alone, and asks whether there is a value: compare values by =`);
}

/** The map that `metrics:loss` asks of whether it has a key. */
function mapNamed({ segments }: FieldPath, { fields }: ListDeclaration): ListField | undefined {
  return fields.find(({ path, isMap }) => isMap && path === segments.join("."));
}

/** The field that a path names, and the key behind it. @throws ListFault */
export function fieldAt(
  { segments, offset }: FieldPath,
  fields: readonly ListField[],
): { field: ListField; key: string } {
  const path = segments.join(".");
  const plain = fields.find((field) => !field.isMap && field.path === path);
  if (plain) return { field: plain, key: "" };
  const map = fields.find((field) => field.isMap && path.startsWith(`${field.path}.`));
  if (map) return { field: map, key: path.slice(map.path.length + 1) };
  const known = fields.slice(0, maxNamed).map((field) => (field.isMap ? `${field.path}.<key>` : field.path));
  const further = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : "";
  throw new ListFault(offset, `no such field: use one of ${known.join(", ")}${further}`);
}
