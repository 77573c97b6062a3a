// Examples of the API's operations: `<name>.examples.json` beside `<name>.proto`.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root, StepError } from "./install.mjs";

const ending = ".examples.json";
const formats = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
};

/** Full name of an RPC → its example, of every file beside a proto file, sorted by name. */
export function contractExamples() {
  const proto = join(root, "proto");
  const files = readdirSync(proto, { recursive: true }).filter((path) => path.endsWith(ending));
  const entries = files.flatMap((path) => {
    const domain = dirname(path).split(/[\\/]/).join(".");
    const examples = JSON.parse(readFileSync(join(proto, path), "utf8"));
    return Object.entries(examples).map(([name, example]) => [`${domain}.${name}`, example]);
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Holds every operation of the description to having an example, and every example to what its operation says.
 * `operationIds`: RPC → id of its operation.
 * @throws StepError that lists what is wrong
 */
export function assertExamples(description, examples, operationIds) {
  const check = exampleCheck(description);
  const operations = new Map(
    Object.values(description.paths).flatMap((item) =>
      Object.values(item).map((operation) => [operation.operationId, operation]),
    ),
  );
  const faults = [
    ...Object.entries(operationIds).flatMap(([rpc, id]) =>
      rpc in examples
        ? check(operations.get(id), examples[rpc]).map((fault) => `${rpc}: ${fault}`)
        : `${rpc}: has none`,
    ),
    ...Object.keys(examples).flatMap((rpc) => (rpc in operationIds ? [] : `${rpc}: is no operation`)),
  ];
  if (faults.length > 0)
    throw new StepError(`examples beside the contract (proto/**/*${ending}):\n${faults.join("\n")}`);
}

function exampleCheck(description) {
  const fromTests = createRequire(join(root, "tests", "package.json"));
  const { Ajv2020 } = fromTests("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema(description, "read");
  ajv.addSchema(whole(description), "written");
  const misfits = (place, schema, value) => {
    const validate = ajv.compile(relocated(schema, place));
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  return ({ parameters = [], requestBody, responses }, { request, response }) => {
    const shown = parameters.filter((parameter) => "example" in parameter);
    const body = requestBody?.content["application/json"];
    const [status, success] = Object.entries(responses).find(([code]) => code.startsWith("2"));
    return [
      ...unused(request, shown, body?.example),
      ...parameters.flatMap(({ name, required, example }) =>
        required && example === undefined ? [`request: ${name} is missing`] : [],
      ),
      ...shown.flatMap(({ name, schema, example }) =>
        misfits("read", schema, example).map((fault) => `request: ${name}${fault}`),
      ),
      ...(body === undefined ? [] : misfits("read", body.schema, body.example)).map((fault) => `request: ${fault}`),
      ...Object.values(success.content)
        .slice(0, 1)
        .flatMap(({ schema }) => misfits("written", whole(schema), response))
        .map((fault) => `response ${status}: ${fault}`),
    ];
  };
}

/** Fields of the request that the operation takes from nowhere. */
function unused(request, parameters, body) {
  const names = new Set(parameters.map(({ name }) => name.toLowerCase().replaceAll("-", "_")));
  const isMember = (name) => typeof body === "object" && body !== null && name in body;
  const isBody = (name) => JSON.stringify(request[name]) === JSON.stringify(body);
  return Object.keys(request)
    .filter((name) => !names.has(name) && !isMember(name) && !isBody(name))
    .map((name) => `request: ${name} is no field of it`);
}

/** A schema whose objects have every field that they know, and no other: so answers are written. */
function whole(schema) {
  if (Array.isArray(schema)) return schema.map(whole);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, whole(value)]));
  const { type, properties } = schema;
  if (type !== "object" || properties === undefined) return inner;
  return { ...inner, required: Object.keys(properties), additionalProperties: false };
}

/** A schema whose references lead into a document of that name. */
function relocated(schema, place) {
  return JSON.parse(JSON.stringify(schema ?? true).replaceAll('"$ref":"#/', `"$ref":"${place}#/`));
}
