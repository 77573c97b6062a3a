// What the TypeScript client and the command line know of the REST API, from its description.
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./install.mjs";

const client = join(root, "packages", "client");
const methods = ["get", "put", "post", "patch", "delete"];
const header = "// Generated from docs/openapi.json. Do not edit.\n";

/** Path → text of what is generated into the client. `description` is the OpenAPI document. */
export async function clientContract(description) {
  const fromClient = createRequire(join(client, "package.json"));
  const { default: openapiTS, astToString } = fromClient("openapi-typescript");
  const types = astToString(await openapiTS(withOneFailure(description)));
  const operations = JSON.stringify(operationsOf(description), undefined, 1);
  const declared =
    'import type { Operation } from "../src/operations.ts";\n\nexport declare const operations: readonly Operation[];\n';
  const generated = (name) => join("packages", "client", "gen", name);
  return new Map([
    [generated("api.d.ts"), `${header}${types}`],
    [generated("operations.js"), `${header}export const operations = ${operations};\n`],
    [generated("operations.d.ts"), `${header}${declared}`],
  ]);
}

/** Every failure has one of two bodies: said once per operation, not once per status. Types need no examples. */
function withOneFailure(description) {
  const copy = JSON.parse(JSON.stringify(description, (key, value) => (key === "example" ? undefined : value)));
  const failure = withoutProblems(copy.components.responses).InternalError;
  for (const { operation } of eachOperation(copy)) {
    const { responses } = operation;
    const kept = Object.entries(responses).filter(([status]) => Number(status) < 300 || status === "422");
    operation.responses = {
      ...Object.fromEntries(kept),
      ...(failure && { default: { ...failure, description: "Failure" } }),
    };
  }
  return copy;
}

/** A client that asks for JSON is answered JSON. */
function withoutProblems(responses) {
  for (const { content } of Object.values(responses)) delete content["application/problem+json"];
  return responses;
}

function* eachOperation({ paths }) {
  for (const [path, item] of Object.entries(paths))
    for (const method of methods) if (item[method]) yield { path, method, operation: item[method] };
}

function operationsOf(description) {
  const { schemas } = description.components;
  const resolved = (schema) => (schema?.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema);
  return [...eachOperation(description)].map(({ path, method, operation }) => {
    const { operationId, summary, description: says = "", tags, parameters = [], requestBody, responses } = operation;
    const [success] = Object.entries(responses).filter(([status]) => Number(status) < 300);
    const content = success?.[1].content ?? {};
    const body = resolved(requestBody?.content["application/json"]?.schema);
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      tag: tags[0],
      summary,
      says,
      parameters: parameters.map(({ name, in: place, required = false, description: text = "", schema }) => ({
        name,
        in: place,
        required,
        says: text,
        type: typeOf(resolved(schema)),
      })),
      ...(body && { body: bodyOf(body, resolved) }),
      streams: "text/event-stream" in content,
      json: "application/json" in content,
      paged: success?.[1].headers?.Link !== undefined,
    };
  });
}

function bodyOf(schema, resolved) {
  if (schema.type === "array") return { type: "array", fields: [] };
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description: says = "" } = field;
    return { name, required: required.has(name), says, type: typeOf(resolved(field) ?? field) };
  });
  return { type: "object", fields };
}

/** `string`, `integer`, `number`, `boolean`, `array` or `object`; what may be null besides is what it is. */
function typeOf(schema = {}) {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const one = options.find(({ type }) => type !== "null") ?? schema;
  const types = [one.type].flat().filter((type) => type && type !== "null");
  return types[0] ?? (one.enum ? "string" : "object");
}
