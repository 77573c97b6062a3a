import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { services } from "@aiplatform/contract/services";
import {
  JsonDocumentSchema,
  type JsonObject,
  JsonObjectSchema,
  JsonValueSchema,
} from "@aiplatform/contract/transcoder/v1/json";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type Message,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { errorMappingInterceptor } from "./error-mapping.ts";
import { jsonValidationInterceptor } from "./json-validation.ts";

interface Place {
  readonly method: DescMethodUnary;
  /** Fields from the request down to the one that is JSON. */
  readonly fields: readonly DescField[];
}

const jsonTypes: ReadonlySet<string> = new Set([
  JsonObjectSchema.typeName,
  JsonValueSchema.typeName,
  JsonDocumentSchema.typeName,
]);

function placesIn(desc: DescMessage, before: readonly DescField[] = []): DescField[][] {
  return desc.fields.flatMap((field) => {
    const fields = [...before, field];
    if (field.message === undefined || before.includes(field)) return [];
    return jsonTypes.has(field.message.typeName) ? [fields] : placesIn(field.message, fields);
  });
}

const places = services.flatMap((service) =>
  service.methods.flatMap((method) =>
    isUnary(method) ? placesIn(method.input).map((fields): Place => ({ method, fields })) : [],
  ),
);

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

const nameOf = ({ method, fields }: Place) => `${method.name} ${pathOf(fields)}`;
const pathOf = (fields: readonly DescField[]) =>
  fields.map(({ name, fieldKind }) => (fieldKind === "list" ? `${name}[0]` : name)).join(".");

const transport = createRouterTransport(
  (router) => {
    for (const service of services) router.service(service, {});
  },
  { router: { interceptors: [errorMappingInterceptor({ errors: new Map() }), jsonValidationInterceptor()] } },
);

/** What a request is answered that has nothing but a JSON text at this place. */
async function answerOf({ method, fields }: Place, text: string): Promise<ConnectError> {
  const request = create(method.input);
  let message = reflect(method.input, request);
  for (const field of fields) {
    if (!field.message) break;
    const inner: Message = jsonTypes.has(field.message.typeName) ? json(field.message, text) : create(field.message);
    const reflected = reflect(field.message, inner);
    if (field.fieldKind === "list") message.get(field).add(reflected);
    else if (field.fieldKind === "message") message.set(field, reflected);
    message = reflected;
  }
  const call = transport.unary(method, undefined, undefined, undefined, request);
  return call.then(
    () => new ConnectError("", Code.Unknown),
    (error: unknown) => ConnectError.from(error),
  );
}

function json(desc: DescMessage, text: string): Message {
  if (desc.typeName === JsonDocumentSchema.typeName) return create(JsonDocumentSchema, { utf8: Buffer.from(text) });
  return desc.typeName === JsonObjectSchema.typeName ? objectOf(text) : create(JsonValueSchema, { text });
}

function objectOf(text: string): JsonObject {
  return create(JsonObjectSchema, { text });
}

function violationsOf(error: ConnectError): string[] {
  const [details] = error.findDetails(BadRequestSchema);
  return (details?.fieldViolations ?? []).map(({ field, reason }) => `${field} ${reason}`);
}

const isObject = ({ fields }: Place) => fields.at(-1)?.message?.typeName !== JsonValueSchema.typeName;

describe.each(places.map((place) => [nameOf(place), place] as const))("free-form JSON of %s", (_, place) => {
  const reason = isObject(place) ? "JSON_OBJECT_EXPECTED" : "JSON_EXPECTED";
  const refused = [`${pathOf(place.fields)} ${reason}`];

  it.each(["{a", "xx", "{} {}", "NaN"])("is refused as %s", async (text) => {
    const error = await answerOf(place, text);
    expect([error.code, violationsOf(error)]).toEqual([Code.InvalidArgument, refused]);
  });

  it.each(["7", "null", "[]", '"a"'])("is taken as %s only where no object is specified", async (text) => {
    const error = await answerOf(place, text);
    // A call that passes the interceptor finds no implementation.
    const expected = isObject(place) ? [Code.InvalidArgument, refused] : [Code.Unimplemented, []];
    expect([error.code, violationsOf(error)]).toEqual(expected);
  });

  it.each(["", "{}", ' {"a": 1e400} '])("is taken as %p", async (text) => {
    expect((await answerOf(place, text)).code).toBe(Code.Unimplemented);
  });
});

describe("the contract", () => {
  it("has free-form JSON in requests", () => {
    expect(places.map(nameOf)).toContain("CreateCustomServingDeployment artifacts[0].content");
  });
});
