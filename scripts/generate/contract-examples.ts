// Examples of the API's operations: `<name>.examples.json` beside `<name>.proto`.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { root, StepError } from "../install.mjs";
import { type ApiDescription, type Operation, type Parameter, success } from "./open-api.ts";

/** An example of an RPC: fields of the request by name, and the body of the answer. */
interface Example {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

/** Full name of an RPC → its example. */
export type Examples = Readonly<Record<string, Example>>;

type Check = (operation: Operation, example: Example) => string[];

const ending = ".examples.json";
const formats = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
};

/** The examples of every file beside a proto file, sorted by name. */
export function contractExamples(): Examples {
  const proto = join(root, "proto");
  const files = readdirSync(proto, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
  const entries = files.flatMap((path) => {
    const domain = dirname(path).split(/[\\/]/).join(".");
    const examples: Examples = JSON.parse(readFileSync(join(proto, path), "utf8"));
    return Object.entries(examples).map(([name, example]): [string, Example] => [`${domain}.${name}`, example]);
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Holds every operation of the description to having an example, and every example to what its operation says.
 * `operationIds`: RPC → id of its operation.
 * @throws StepError that lists what is wrong
 */
export function assertExamples(
  description: ApiDescription,
  examples: Examples,
  operationIds: Readonly<Record<string, string>>,
): void {
  const check = exampleCheck(description);
  const operations = Object.values(description.paths).flatMap((item) => Object.values(item));
  const faults = [
    ...Object.entries(operationIds).flatMap(([rpc, id]) => {
      const operation = operations.find(({ operationId }) => operationId === id);
      const example = examples[rpc];
      if (operation === undefined || example === undefined) return `${rpc}: has none`;
      return check(operation, example).map((fault) => `${rpc}: ${fault}`);
    }),
    ...Object.keys(examples).flatMap((rpc) => (rpc in operationIds ? [] : `${rpc}: is no operation`)),
  ];
  if (faults.length > 0)
    throw new StepError(`examples beside the contract (proto/**/*${ending}):\n${faults.join("\n")}`);
}

function exampleCheck(description: ApiDescription): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema(description, "read");
  ajv.addSchema(whole(description), "written");
  const mismatches = (place: string, schema: unknown, value: unknown) => {
    const validate = ajv.compile(relocated(schema, place));
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  return (operation, { request, response }) => {
    const { parameters = [], requestBody } = operation;
    const shown = parameters.filter((parameter) => "example" in parameter);
    const body = requestBody?.content["application/json"];
    const [status, { content = {} }] = success(operation);
    return [
      ...unused(request, shown, body?.example),
      ...parameters.flatMap(({ name, required, example }) =>
        required && example === undefined ? [`request: ${name} is missing`] : [],
      ),
      ...shown.flatMap(({ name, schema, example }) =>
        mismatches("read", schema, example).map((fault) => `request: ${name}${fault}`),
      ),
      ...(body === undefined ? [] : mismatches("read", body.schema, body.example)).map((fault) => `request: ${fault}`),
      ...Object.values(content)
        .slice(0, 1)
        .flatMap(({ schema }) => mismatches("written", whole(schema ?? {}), response))
        .map((fault) => `response ${status}: ${fault}`),
    ];
  };
}

/** Fields of the request that the operation takes from nowhere. */
function unused(request: Example["request"], parameters: readonly Parameter[], body: unknown): string[] {
  const names = new Set(parameters.map(({ name }) => name.toLowerCase().replaceAll("-", "_")));
  const isMember = (name: string) => typeof body === "object" && body !== null && name in body;
  const isBody = (name: string) => JSON.stringify(request[name]) === JSON.stringify(body);
  return Object.keys(request)
    .filter((name) => !names.has(name) && !isMember(name) && !isBody(name))
    .map((name) => `request: ${name} is no field of it`);
}

/** A schema whose objects have every field that they know, and no other: so answers are written. */
function whole(schema: object): object {
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, wholeWithin(value)]));
  const { type, properties }: { type?: unknown; properties?: object } = schema;
  if (type !== "object" || properties === undefined) return inner;
  return { ...inner, required: Object.keys(properties), additionalProperties: false };
}

function wholeWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wholeWithin);
  return typeof value === "object" && value !== null ? whole(value) : value;
}

/** A schema whose references lead into a document of that name. */
function relocated(schema: unknown, place: string) {
  return JSON.parse(JSON.stringify(schema ?? true).replaceAll('"$ref":"#/', `"$ref":"${place}#/`));
}
