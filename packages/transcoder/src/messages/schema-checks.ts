import { type StringRules, StringRulesSchema } from "@aiplatform/contract/buf/validate/validate";
import { json } from "@aiplatform/contract/transcoder/v1/route";
import { create, type DescField, getOption } from "@bufbuild/protobuf";
import { ContractError } from "../errors/contract-error.ts";
import { Fault, faults } from "../errors/fault.ts";
import type { ProblemList } from "../errors/problem-list.ts";
import type { JsonView } from "../json/view.ts";
import { literals, stringChecks } from "./value-checks.ts";

/** A JSON Schema of draft 2020-12. */
export type Schema = Record<string, unknown>;

/** Keywords that are added to the schema of a field that is read. */
export type Refinement = (field: DescField) => Schema | undefined;

/** Keywords that the description adds where a field is read: what the service refuses and no rule of the contract says. */
export function addedSchema(field: DescField, refine: Refinement): Schema {
  const { schema } = getOption(field, json);
  return mergeSchemas(schema === "" ? {} : (JSON.parse(schema) as Schema), refine(field) ?? {});
}

/** A schema with further keywords; those of `items` are added to the items'. */
export function mergeSchemas(schema: Schema, more: Schema): Schema {
  const { items } = more;
  return { ...schema, ...more, ...(items === undefined ? {} : { items: { ...(schema["items"] ?? {}), ...items } }) };
}

/** Lists what a value of the right type breaks of a schema. */
export type SchemaCheck = (view: JsonView, problems: ProblemList) => void;

/** What a field's added schema says of its value, or of each item of a list. Throws {@link ContractError} for what no reader enforces. */
export function schemaChecks(field: DescField, refine: Refinement): { value?: SchemaCheck; item?: SchemaCheck } {
  const schema = addedSchema(field, refine);
  const isList = field.fieldKind === "list";
  if (isList || field.fieldKind === "map") assertKnown(schema, isList ? ["items"] : [], field);
  const check = schemaCheck(isList ? ((schema["items"] ?? {}) as Schema) : schema, field);
  if (check === undefined) return {};
  return isList ? { item: check } : { value: check };
}

function schemaCheck(schema: Schema, field: DescField): SchemaCheck | undefined {
  const { required, properties, "x-problem": words, ...text } = schema;
  if (required === undefined && properties === undefined) return textCheck(text, words as Partial<Fault>, field);
  assertKnown(text, [], field);
  const names = (required ?? []) as string[];
  const checks = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([name, inner]) => [name, schemaCheck(inner, field)] as const,
  );
  const known = [...names, ...checks.map(([name]) => name)];
  return (view, problems) => {
    const members = view.members(known);
    for (const name of names) {
      if (!members.has(name)) problems.note(faults.missing, [...problems.path, name], view.raw);
    }
    for (const [name, check] of checks) {
      const member = members.get(name);
      if (member === undefined) continue;
      problems.path.push(name);
      check?.(member, problems);
      problems.path.pop();
    }
  };
}

const textKeywords = ["enum", "pattern", "minLength", "maxLength"];

/** `words`: type and message of the service's own, where it does not refuse in those of the keyword. */
export function textCheck(
  schema: Schema,
  words: Partial<Fault> | undefined,
  field: DescField,
): SchemaCheck | undefined {
  assertKnown(schema, textKeywords, field);
  if (Object.keys(schema).length === 0) return undefined;
  const rules = rulesOf(schema);
  const closed = literals(rules);
  const checks = stringChecks(rules, (reason) => new ContractError("bad_rule", field.toString(), reason));
  if (closed) checks.push((value) => (closed.allowed.has(value) ? undefined : closed.fault));
  const faultOf = (view: JsonView): Fault | undefined => {
    if (view.kind !== "string") return faults.string;
    for (const check of checks) {
      const fault = check(view.string);
      if (fault) return words?.type === undefined ? fault : new Fault(words.type, words.msg ?? fault.msg);
    }
    return undefined;
  };
  return (view, problems) => {
    const fault = faultOf(view);
    if (fault) problems.note(fault, [...problems.path], view.raw);
  };
}

function rulesOf({ enum: allowed, pattern, minLength, maxLength }: Schema): StringRules {
  const rules = create(StringRulesSchema, { in: (allowed ?? []) as string[] });
  if (pattern !== undefined) rules.pattern = String(pattern);
  if (minLength !== undefined) rules.minLen = BigInt(Number(minLength));
  if (maxLength !== undefined) rules.maxLen = BigInt(Number(maxLength));
  return rules;
}

function assertKnown(schema: Schema, known: readonly string[], field: DescField): void {
  const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
  if (unknown === undefined) return;
  throw new ContractError("bad_rule", field.toString(), `the reader cannot check ${unknown}, which its schema says`);
}
