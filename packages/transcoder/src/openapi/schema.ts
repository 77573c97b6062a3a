import type { FieldRules } from "@aiplatform/contract/buf/validate/validate";
import { JsonDocumentSchema, JsonObjectSchema, JsonValueSchema } from "@aiplatform/contract/transcoder/v1/json";
import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fieldTraits } from "../messages/field-traits.ts";
import { type FieldReader, ReaderCompiler } from "../messages/message-reader.ts";
import { addedSchema, mergeSchemas, type Refinement, type Schema } from "../messages/schema-checks.ts";
import { refusedNumbers } from "../messages/value-checks.ts";
import { variantSchema, variantsOf } from "../messages/variants.ts";
import { integerRanges } from "../scalars/codecs.ts";
import { enumNames } from "../scalars/enum-names.ts";

/** Whether a message is read or written: written ones have every field. */
export type Direction = "input" | "output";

interface Component {
  readonly name: string;
  readonly direction: Direction;
  readonly schema: Schema;
}

const special = new Map<string, Schema>([
  [TimestampSchema.typeName, { type: "string", format: "date-time" }],
  [JsonObjectSchema.typeName, { type: "object", additionalProperties: true }],
  [JsonValueSchema.typeName, {}],
  [JsonDocumentSchema.typeName, { type: "object", additionalProperties: true }],
]);

/** Schemas of messages and enums, each named once; one that reads and writes differently is named twice. */
export class SchemaBook {
  readonly #readers = new ReaderCompiler();
  readonly #components = new Map<string, Component>();
  readonly #comments: Readonly<Record<string, string>>;
  readonly #refine: Refinement;

  /** `comments`: sentences by full name of message, field or enum. `refine`: beyond what the contract says. */
  constructor(comments: Readonly<Record<string, string>> = {}, refine: Refinement = () => undefined) {
    this.#comments = comments;
    this.#refine = refine;
  }

  /** Schema of a field's value with null and default where they apply. */
  field(field: DescField, direction: Direction): Schema {
    const traits = fieldTraits(field);
    const bare = this.#bare(field, traits.rules, direction);
    // An empty schema fits null as it fits everything.
    const isNullable = traits.nullable && Object.keys(bare).length > 0;
    const nullable: Schema = isNullable ? { anyOf: [bare, { type: "null" }] } : bare;
    const comment = this.#comment(`${field.parent.typeName}.${field.name}`);
    const initial = traits.default === undefined ? {} : { default: JSON.parse(traits.default) as unknown };
    return { ...nullable, ...initial, ...comment };
  }

  /** Schema of a parameter: it can be left out, but not be null. */
  parameter({ field }: FieldReader): Schema {
    const { rules, default: initial } = fieldTraits(field);
    const bare = this.#bare(field, rules, "input");
    return initial === undefined ? bare : { ...bare, default: JSON.parse(initial) as unknown };
  }

  /** Reference to a message's schema. */
  message(desc: DescMessage, direction: Direction): Schema {
    const known = special.get(desc.typeName);
    if (known !== undefined) return known;
    const key = `${desc.typeName} ${direction}`;
    if (!this.#components.has(key)) {
      const component = { name: localTypeName(desc), direction, schema: {} };
      this.#components.set(key, component);
      Object.assign(component.schema, this.object(desc, this.#readers.fields(desc), direction));
    }
    return { $ref: key };
  }

  /** Schema of an object of some of a message's fields. */
  object(desc: DescMessage, readers: readonly FieldReader[], direction: Direction): Schema {
    const properties = Object.fromEntries(readers.map(({ field, name }) => [name, this.field(field, direction)]));
    // The writer leaves no field out: what has no value is null, or the default.
    const required = readers.filter((reader) => direction === "output" || reader.required).map(({ name }) => name);
    return {
      type: "object",
      title: localTypeName(desc),
      ...this.#comment(desc.typeName),
      properties,
      ...(required.length === 0 ? {} : { required }),
    };
  }

  /** Stores a schema that is the body of one operation, under the name of its message. */
  store(desc: DescMessage, schema: Schema): Schema {
    const key = `${desc.typeName} input`;
    this.#components.set(key, { name: localTypeName(desc), direction: "input", schema });
    return { $ref: key };
  }

  /** All named schemas, and a function that replaces the references made above by final ones. */
  finish(): { schemas: Record<string, Schema>; resolve: (schema: unknown) => unknown } {
    const names = this.#finalNames();
    const final = (value: unknown) =>
      names.has(String(value)) ? `#/components/schemas/${names.get(String(value))}` : undefined;
    const resolve = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolve);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => {
          if (key === "$ref") return [key, final(inner) ?? inner];
          if (key !== "discriminator" || typeof inner !== "object") return [key, resolve(inner)];
          const mapping = Object.entries(inner.mapping ?? {}).map(([type, of]) => [type, final(of) ?? of]);
          return [key, { ...inner, mapping: Object.fromEntries(mapping) }];
        }),
      );
    };
    const schemas: Record<string, Schema> = {};
    for (const [key, { schema }] of this.#components) {
      const name = names.get(key) ?? key;
      // Generators name their types by the title, so that no two schemas may share one.
      schemas[name] = { ...(resolve(schema) as Schema), title: name.replaceAll(/[-.]/g, "") };
    }
    return { schemas, resolve };
  }

  #finalNames(): Map<string, string> {
    const byName = new Map<string, [string, Component][]>();
    for (const entry of this.#components) byName.set(entry[1].name, [...(byName.get(entry[1].name) ?? []), entry]);
    const names = new Map<string, string>();
    const differing = this.#differing();
    for (const [name, entries] of byName) {
      const types = new Set(entries.map(([key]) => typeOf(key)));
      for (const [key, { direction }] of entries) {
        // Types of one name from two packages keep their full names.
        const base = types.size === 1 ? name : typeOf(key);
        const hasTwo = entries.length > 1 && (types.size > 1 || differing.has(typeOf(key)));
        names.set(key, hasTwo ? `${base}-${direction === "input" ? "Input" : "Output"}` : base);
      }
    }
    return names;
  }

  /** Types that are read otherwise than they are written, themselves or in what they hold. */
  #differing(): Set<string> {
    const texts = new Map<string, Set<string>>();
    for (const [key, { schema }] of this.#components) {
      const text = JSON.stringify(schema).replaceAll(/ (?:in|out)put"/g, '"');
      texts.set(typeOf(key), (texts.get(typeOf(key)) ?? new Set()).add(text));
    }
    const differing = new Set([...texts].filter(([, of]) => of.size > 1).map(([type]) => type));
    const holdsDiffering = (of: Set<string>) =>
      [...of].some((text) => [...differing].some((type) => text.includes(`"$ref":"${type}"`)));
    for (let before = -1; before !== differing.size; ) {
      before = differing.size;
      for (const [type, of] of texts) if (holdsDiffering(of)) differing.add(type);
    }
    return differing;
  }

  #comment(name: string): Schema {
    const description = this.#comments[name];
    return description === undefined ? {} : { description };
  }

  #bare(field: DescField, rules: FieldRules | undefined, direction: Direction): Schema {
    const schema = this.#typed(field, rules, direction);
    return direction === "output" ? schema : mergeSchemas(schema, addedSchema(field, this.#refine));
  }

  #typed(field: DescField, rules: FieldRules | undefined, direction: Direction): Schema {
    if (field.fieldKind === "list") {
      const list = rules?.type.case === "repeated" ? rules.type.value : undefined;
      const items = this.#element(field, field.listKind, list?.items, direction);
      const unique = list?.unique === true ? { uniqueItems: true } : {};
      return { type: "array", items, ...sizes(list, ["minItems", "maxItems"], ["minItems", "maxItems"]), ...unique };
    }
    if (field.fieldKind === "map") {
      const map = rules?.type.case === "map" ? rules.type.value : undefined;
      const additionalProperties = this.#element(field, field.mapKind, map?.values, direction);
      const keys = scalarSchema(field.mapKey, map?.keys);
      return {
        type: "object",
        ...(map?.keys === undefined || keys["type"] !== "string" ? {} : { propertyNames: keys }),
        additionalProperties,
        ...sizes(map, ["minPairs", "maxPairs"], ["minProperties", "maxProperties"]),
      };
    }
    const schema = this.#element(field, field.fieldKind, rules, direction);
    const isExempt = fieldTraits(field).ignoreZero && field.fieldKind === "scalar";
    return isExempt ? { anyOf: [schema, { const: zeroOf(field.scalar) }] } : schema;
  }

  #element(
    field: DescField,
    kind: "scalar" | "enum" | "message",
    rules: FieldRules | undefined,
    direction: Direction,
  ): Schema {
    if (kind === "message" && field.message !== undefined)
      return (direction === "input" && this.#variants(field)) || this.message(field.message, direction);
    if (kind === "enum" && field.enum !== undefined)
      return { ...this.#enum(field.enum), ...chosenNames(field.enum, rules) };
    return scalarSchema(field.scalar ?? ScalarType.STRING, rules);
  }

  /** A choice of objects, each named for generators, which tell them apart by `type`. */
  #variants(field: DescField): Schema | undefined {
    const variants = variantsOf(field);
    if (variants === undefined) return undefined;
    const choices = [...variants.byType].map(([type, message]) => {
      const schema = variantSchema(type, message, (name) => this.#comment(name));
      return [type, this.store(message, schema)] as const;
    });
    const mapping = Object.fromEntries(choices.map(([type, { $ref }]) => [type, $ref]));
    const discriminator = { propertyName: "type", mapping };
    return this.store(variants.message, { oneOf: choices.map(([, reference]) => reference), discriminator });
  }

  #enum(desc: DescEnum): Schema {
    const schema = {
      type: "string",
      title: desc.name,
      ...this.#comment(desc.typeName),
      enum: [...enumNames(desc).byName.keys()],
    };
    this.#components.set(desc.typeName, { name: desc.name, direction: "input", schema });
    return { $ref: desc.typeName };
  }
}

function zeroOf(scalar: ScalarType): unknown {
  if (scalar === ScalarType.BOOL) return false;
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES ? "" : 0;
}

/** Of an enum's names those that a field's rules take, unless they take all. */
function chosenNames(desc: DescEnum, rules: FieldRules | undefined): Schema {
  const { byName } = enumNames(desc);
  const refused = refusedNumbers(rules?.type.case === "enum" ? rules.type.value : undefined, [...byName.values()]);
  return refused.size === 0
    ? {}
    : { enum: [...byName].flatMap(([name, number]) => (refused.has(number) ? [] : [name])) };
}

/** Full name of the type that a key stands for. */
function typeOf(key: string): string {
  return key.split(" ")[0] ?? key;
}

/** Name without the package, of a nested type with its parent's. */
function localTypeName({ name, parent }: DescMessage): string {
  return parent === undefined ? name : `${localTypeName(parent)}.${name}`;
}

function scalarSchema(scalar: ScalarType, rules: FieldRules | undefined): Schema {
  const value = rules?.type.value as Record<string, unknown> | undefined;
  if (scalar === ScalarType.BOOL) return { type: "boolean", ...closedSet(value, Boolean) };
  if (scalar === ScalarType.BYTES) return { type: "string", contentEncoding: "base64", ...base64Text(value) };
  if (scalar === ScalarType.STRING) return { type: "string", ...stringSchema(value) };
  const isFloat = scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT;
  const unsigned = integerRanges.get(scalar)?.min === 0n ? { minimum: 0 } : {};
  return { type: isFloat ? "number" : "integer", ...unsigned, ...bounds(value), ...closedSet(value, Number) };
}

const stringKeywords = [
  ["minLen", "minLength"],
  ["maxLen", "maxLength"],
  ["pattern", "pattern"],
] as const;

function stringSchema(rules: Record<string, unknown> | undefined): Schema {
  if (rules === undefined) return {};
  const schema: Schema = {};
  if (Object.hasOwn(rules, "len"))
    Object.assign(schema, { minLength: Number(rules["len"]), maxLength: Number(rules["len"]) });
  for (const [rule, keyword] of stringKeywords) {
    if (Object.hasOwn(rules, rule)) schema[keyword] = rule === "pattern" ? rules[rule] : Number(rules[rule]);
  }
  const wellKnown = rules["wellKnown"] as { case?: string } | undefined;
  if (wellKnown?.case === "uuid" || wellKnown?.case === "email") schema["format"] = wellKnown.case;
  const parts = partPatterns(rules).map((pattern) => ({ pattern }));
  return { ...schema, ...(parts.length === 0 ? {} : { allOf: parts }), ...closedSet(rules, String) };
}

/** Patterns of what a text begins with, ends with or has within. */
function partPatterns(rules: Record<string, unknown>): string[] {
  const literal = (rule: string) => String(rules[rule]).replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const forms = { prefix: ["^", ""], suffix: ["", "$"], contains: ["", ""], notContains: ["^(?![\\s\\S]*", ")"] };
  return Object.entries(forms).flatMap(([rule, [before, after]]) =>
    Object.hasOwn(rules, rule) ? [`${before}${literal(rule)}${after}`] : [],
  );
}

/** Text of as many bytes as the rules want, in either alphabet of base64, padded or not. */
function base64Text(rules: Record<string, unknown> = {}): Schema {
  const min = Math.ceil((Number(rules["minLen"] ?? 0) * 8) / 6);
  const schema = { pattern: `^[A-Za-z0-9+/_-]${min === 0 ? "*" : `{${min},}`}={0,2}$` };
  // The most without its padding: a text of it has no room for any.
  return Object.hasOwn(rules, "maxLen")
    ? { ...schema, maxLength: Math.floor((Number(rules["maxLen"]) * 8 + 7) / 6) }
    : schema;
}

const boundKeywords: Readonly<Record<string, string>> = {
  lt: "exclusiveMaximum",
  lte: "maximum",
  gt: "exclusiveMinimum",
  gte: "minimum",
};

function bounds(rules: Record<string, unknown> | undefined): Schema {
  const schema: Schema = {};
  for (const side of [rules?.["greaterThan"], rules?.["lessThan"]]) {
    const { case: rule, value } = (side ?? {}) as { case?: string; value?: number | bigint };
    const keyword = rule === undefined ? undefined : boundKeywords[rule];
    if (keyword !== undefined) schema[keyword] = Number(value);
  }
  return schema;
}

function closedSet(rules: Record<string, unknown> | undefined, convert: (value: unknown) => unknown): Schema {
  if (rules === undefined) return {};
  if (Object.hasOwn(rules, "const")) return { const: convert(rules["const"]) };
  const [allowed, refused] = [rules["in"], rules["notIn"]];
  return {
    ...(Array.isArray(allowed) && allowed.length > 0 ? { enum: allowed.map(convert) } : {}),
    ...(Array.isArray(refused) && refused.length > 0 ? { not: { enum: refused.map(convert) } } : {}),
  };
}

function sizes(
  rules: object | undefined,
  names: readonly [string, string],
  keywords: readonly [string, string],
): Schema {
  const schema: Schema = {};
  for (const [index, name] of names.entries()) {
    const value = rules !== undefined && Object.hasOwn(rules, name) ? Reflect.get(rules, name) : undefined;
    if (value !== undefined) schema[keywords[index] ?? name] = Number(value);
  }
  return schema;
}
