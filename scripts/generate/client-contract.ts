// What the TypeScript client and the command line know of the REST API, from its description.
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../install.mjs";
import { type Answer, type ApiDescription, type Operation, type Schema, success } from "./open-api.ts";

const client = join(root, "packages", "client");
const methods = ["get", "put", "post", "patch", "delete"];

/** What is used of openapi-typescript, which only the client has installed, with a TypeScript that it can call. */
interface OpenApiTypescript<Node> {
  default(description: object, options: { readonly defaultNonNullable: boolean }): Promise<Node>;
  astToString(types: Node): string;
}

type Resolve = (schema: Schema | undefined) => Schema | undefined;
const header = "// Generated from docs/openapi.json. Do not edit.\n";

/** Path and text of what is generated into the client. */
export async function clientContract(description: ApiDescription): Promise<[path: string, text: string][]> {
  const fromClient = createRequire(join(client, "package.json"));
  const { default: openapiTS, astToString }: OpenApiTypescript<unknown> = fromClient("openapi-typescript");
  // A field with a default may be left out of a request; answers list what is there as required.
  const types = astToString(await openapiTS(withOneFailure(description), { defaultNonNullable: false }));
  const operations = JSON.stringify(operationsOf(description), undefined, 1);
  const idempotent = JSON.stringify(idempotentOperations(description), undefined, 1);
  const declared =
    'import type { Operation } from "../src/operations.ts";\n\nexport declare const operations: readonly Operation[];\n';
  const generated = (name: string) => join("packages", "client", "gen", name);
  return [
    [generated("api.d.ts"), `${header}${types}`],
    [generated("operations.js"), `${header}export const operations = ${operations};\n`],
    [generated("operations.d.ts"), `${header}${declared}`],
    // Of the operations, all that the client itself needs: a page that uses it loads no table of the others.
    [generated("idempotent-operations.js"), `${header}export const idempotentOperations = ${idempotent};\n`],
    [
      generated("idempotent-operations.d.ts"),
      `${header}/** Method and path of each operation that takes an \`Idempotency-Key\`. */\nexport declare const idempotentOperations: readonly string[];\n`,
    ],
  ];
}

/** Every failure has one of two bodies: said once per operation, not once per status. Types need no examples. */
function withOneFailure(description: ApiDescription): ApiDescription {
  const copy: ApiDescription = JSON.parse(
    JSON.stringify(description, (key, value) => (key === "example" ? undefined : value)),
  );
  const responses = mapValues(copy.components.responses, withoutAlternatives);
  const failure = responses["InternalError"];
  const paths = mapValues(copy.paths, (item) =>
    mapValues(item, (operation) => {
      const isKept = ([status]: [string, unknown]) => /^2|^303$|^422$/.test(status);
      const kept = mapValues(
        Object.fromEntries(Object.entries(operation.responses).filter(isKept)),
        withoutAlternatives,
      );
      return {
        ...operation,
        responses: { ...kept, ...(failure && { default: { ...failure, description: "Failure" } }) },
      };
    }),
  );
  return { ...copy, paths, components: { ...copy.components, responses } };
}

/** A client that asks for JSON is answered JSON: no problem of RFC 9457, and no other media type of a success that is JSON by default. */
function withoutAlternatives(answer: Answer): Answer {
  const [first] = Object.entries(answer.content ?? {});
  return first?.[0] === "application/json" ? { ...answer, content: Object.fromEntries([first]) } : answer;
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

function* eachOperation({ paths }: ApiDescription): Generator<{ path: string; method: string; operation: Operation }> {
  for (const [path, item] of Object.entries(paths))
    for (const method of methods) {
      const operation = item[method];
      if (operation) yield { path, method, operation };
    }
}

function operationsOf(description: ApiDescription): object[] {
  const { schemas } = description.components;
  const resolved: Resolve = (schema) => (schema?.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema);
  return [...eachOperation(description)].map(({ path, method, operation }) => {
    const { operationId, summary, description = "", tags, parameters = [], requestBody } = operation;
    const [, { content = {}, headers }] = success(operation);
    const body = resolved(requestBody?.content["application/json"]?.schema);
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      tag: tags[0],
      summary,
      description,
      parameters: parameters.map(({ name, in: place, required = false, description: text = "", schema }) => ({
        name,
        in: place,
        required,
        description: text,
        type: typeOf(resolved(schema)),
      })),
      ...(body && { body: bodyOf(body, resolved) }),
      takesBytes: requestBody?.content["application/octet-stream"] !== undefined,
      streams: "text/event-stream" in content,
      json: Object.keys(content)[0] === "application/json",
      paged: headers?.["Link"] !== undefined,
    };
  });
}

/** Method and path of each operation that takes an `Idempotency-Key`. */
export function idempotentOperations(description: ApiDescription): string[] {
  return [...eachOperation(description)]
    .filter(({ operation: { parameters = [] } }) => parameters.some(({ name }) => name === "Idempotency-Key"))
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`);
}

function bodyOf(schema: Schema, resolved: Resolve): object {
  if (schema.type === "array") return { type: "array", fields: [] };
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description = "" } = field;
    return { name, required: required.has(name), description, type: typeOf(resolved(field) ?? field) };
  });
  return { type: "object", fields };
}

/** `string`, `integer`, `number`, `boolean`, `array` or `object`; what may be null besides is what it is. */
function typeOf(schema: Schema = {}): string {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const one = options.find(({ type }) => type !== "null") ?? schema;
  const types = [one.type].flat().filter((type) => type && type !== "null");
  return types[0] ?? (one.enum ? "string" : "object");
}
