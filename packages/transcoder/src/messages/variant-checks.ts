import type { DescField } from "@bufbuild/protobuf";
import { type Fault, faults } from "../errors/fault.ts";
import type { ProblemList } from "../errors/problem-list.ts";
import type { JsonView } from "../json/view.ts";
import { type Schema, type SchemaCheck, textCheck } from "./schema-checks.ts";
import { bound, sizeFault } from "./value-checks.ts";
import { type Variants, variantSchema } from "./variants.ts";

/** Lists what a JSON object breaks of the schema that its `type` chooses. */
export function variantCheck(field: DescField, { byType }: Variants): SchemaCheck {
  const checks = new Map([...byType].map(([type, message]) => [type, valueCheck(variantSchema(type, message), field)]));
  const known = { type: "string", enum: [...byType.keys()] };
  const unknown = valueCheck({ type: "object", required: ["type"], properties: { type: known } }, field);
  return (view, problems) => {
    const type = view.members(["type"]).get("type");
    const check = type?.kind === "string" ? checks.get(type.string) : undefined;
    (check ?? unknown)(view, problems);
  };
}

/** The check of each type that such a schema can name; any value passes one that names none. */
const checksByType: Readonly<Record<string, (schema: Schema, field: DescField) => SchemaCheck>> = {
  object: objectCheck,
  array: listCheck,
  string: ({ enum: allowed, minLength, maxLength }, field) => {
    const said = Object.entries({ enum: allowed, minLength, maxLength }).filter(([, value]) => value !== undefined);
    return textCheck(Object.fromEntries(said), undefined, field) ?? kindCheck("string", faults.string);
  },
  integer: integerCheck,
  boolean: () => kindCheck("boolean", faults.boolean),
};

function valueCheck(schema: Schema, field: DescField): SchemaCheck {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return listOrTextCheck(anyOf, field);
  return checksByType[String(type)]?.(schema, field) ?? (() => {});
}

function kindCheck(kind: JsonView["kind"], fault: Fault): SchemaCheck {
  return (view, problems) => {
    if (view.kind !== kind) noted(fault, view, problems);
  };
}

function noted(fault: Fault, view: JsonView, problems: ProblemList): void {
  problems.note(fault, [...problems.path], view.raw);
}

function listOrTextCheck([list = {}, text = {}]: Schema[], field: DescField): SchemaCheck {
  const [checkList, checkText] = [valueCheck(list, field), valueCheck(text, field)];
  return (view, problems) => (view.kind === "string" ? checkText : checkList)(view, problems);
}

function integerCheck({ minimum, maximum }: Schema): SchemaCheck {
  const bounds = [
    ...(minimum === undefined ? [] : [bound("ge", Number(minimum), false)]),
    ...(maximum === undefined ? [] : [bound("le", Number(maximum), false)]),
  ];
  return (view, problems) => {
    const value = view.kind === "number" ? Number(view.raw) : Number.NaN;
    if (!Number.isSafeInteger(value)) return noted(faults.integer, view, problems);
    for (const check of bounds) {
      const fault = check(value);
      if (fault) noted(fault, view, problems);
    }
  };
}

function listCheck({ items, maxItems }: Schema, field: DescField): SchemaCheck {
  const check = valueCheck((items ?? {}) as Schema, field);
  const max = Number(maxItems ?? Number.POSITIVE_INFINITY);
  return (view, problems) => {
    if (view.kind !== "array") return noted(faults.list, view, problems);
    const count = view.countBeyond(max);
    if (count !== undefined) return noted(sizeFault("List", "too_long", max, count), view, problems);
    for (const [index, item] of view.items().entries()) at(index, problems, () => check(item, problems));
  };
}

function objectCheck({ required, properties }: Schema, field: DescField): SchemaCheck {
  const names = (required ?? []) as string[];
  const checks = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([name, inner]) => [name, valueCheck(inner, field)] as const,
  );
  const known = checks.map(([name]) => name);
  return (view, problems) => {
    if (view.kind !== "object") return noted(faults.dictionary, view, problems);
    const members = view.members(known);
    for (const name of names) if (!members.has(name)) problems.note(faults.missing, [...problems.path, name], view.raw);
    for (const [name, check] of checks) {
      const member = members.get(name);
      if (member) at(name, problems, () => check(member, problems));
    }
  };
}

function at(place: string | number, { path }: ProblemList, check: () => void): void {
  path.push(place);
  check();
  path.pop();
}
