// What the Python SDK knows of the REST API, from its description.
import { join } from "node:path";
import { StepError } from "../install.mjs";
import { idempotentOperations } from "./client-contract.ts";
import type { ApiDescription, Schema } from "./open-api.ts";

/** Words of Python that fields are named by. */
const keywords = new Set([
  "class",
  "from",
  "in",
  "is",
  "not",
  "pass",
  "import",
  "global",
  "return",
  "if",
  "for",
  "with",
]);

/** What the client answers; they bring what they consist of. */
const answers = [
  "Checkpoint-Output",
  "CustomServingDeployment",
  "Deployment",
  "Model",
  "ModelVersion",
  "Pipeline",
  "Run",
  "RunLiveMetrics",
  "TrainingControlCommandRead",
];

const nameOf = (schema: string) => schema.replace(/-Output$/, "");
const referenced = ($ref: string) => $ref.split("/").at(-1) ?? "";

interface ObjectSchema extends Schema {
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

/** Path and text of the types of answers. */
export function pythonContract(description: ApiDescription): [path: string, text: string] {
  const { schemas } = description.components;
  const needed = new Set(answers);
  // A set that grows while it is walked: what a type refers to follows it.
  const types = [...walk(needed, schemas)];
  const operations = idempotentOperations(description).map((operation) => `    ${JSON.stringify(operation)},\n`);
  const text = `"""Generated from docs/openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

IDEMPOTENT_OPERATIONS = (
${operations.join("")})
"""Method and path of each operation that takes an \`Idempotency-Key\`."""

${types.sort().join("\n")}`;
  return [join("sdks", "python", "src", "aiplatform_sdk", "contract", "__init__.py"), text];
}

function* walk(needed: Set<string>, schemas: ApiDescription["components"]["schemas"]): Generator<string> {
  for (const name of needed) {
    const schema = schemas[name];
    if (!schema) throw new StepError(`the description has no schema ${name}, which the Python SDK answers`);
    yield declaration(nameOf(name), schema, (other) => needed.add(other));
  }
}

function declaration(name: string, schema: Schema, need: (name: string) => void): string {
  if (schema.enum) return `${name} = ${literal(schema.enum)}\n`;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.some(([field]) => keywords.has(field))) return byCall(name, fields, need);
  const lines = (wanted: boolean) =>
    fields
      .filter(([field]) => required.has(field) === wanted)
      .map(([field, type]) => fieldLines(name, field, type, need))
      .join("");
  const says = `    ${JSON.stringify(schema.description ?? name)
    .replace(/^"|"$/g, '"""')
    .replaceAll("\\n", " ")}\n`;
  if (fields.every(([field]) => required.has(field)))
    return `\nclass ${name}(TypedDict):\n${says}${lines(true) && `\n${lines(true)}`}`;
  const base = `\nclass _${name}Required(TypedDict):\n${lines(true) || "    pass\n"}`;
  return `${base}\n\nclass ${name}(_${name}Required, total=False):\n${says}\n${lines(false)}`;
}

/** A field that is a word of the language cannot be declared in a class. */
function byCall(name: string, fields: readonly [string, Schema][], need: (name: string) => void): string {
  const lines = fields.map(
    ([field, type]) => `        ${JSON.stringify(field)}: ${JSON.stringify(typeOf(type, need))},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("")}    },\n)\n`;
}

function fieldLines(type: string, field: string, schema: Schema, need: (name: string) => void): string {
  if (!/^[a-z_]\w*$/.test(field)) throw new StepError(`${type}.${field} is no name in Python`);
  return `    ${field}: ${typeOf(schema, need)}\n`;
}

/** How Python says a schema. */
function typeOf(schema: ObjectSchema, need: (name: string) => void): string {
  if (schema.$ref) {
    const name = referenced(schema.$ref);
    need(name);
    return nameOf(name);
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map((option) => typeOf(option, need)))].join(" | ");
  if (schema.enum) return literal(schema.enum);
  if (schema.type === "array") return `list[${schema.items ? typeOf(schema.items, need) : "Any"}]`;
  if (schema.type === "object") {
    const { additionalProperties } = schema;
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, need) : "Any";
    return `dict[str, ${values}]`;
  }
  return scalars[String(schema.type)] ?? "Any";
}

const scalars: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const literal = (values: readonly unknown[]) => `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
