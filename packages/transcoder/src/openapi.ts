import type { DescMethod } from "@bufbuild/protobuf";
import type { FieldReader } from "./message-reader.ts";
import { describeResponses } from "./openapi-responses.ts";
import { type Schema, SchemaBook } from "./openapi-schema.ts";
import { type CompiledOperation, type Operation, rpcName } from "./operation.ts";

/** An operation of an OpenAPI document. */
export type OpenApiOperation = Record<string, unknown>;

/** What the document says besides the contract. */
export interface DescribeOptions {
  readonly title: string;
  readonly version: string;
  /** What the description may be used under. */
  readonly license?: { readonly name: string; readonly identifier?: string };
  /** Where it is served, such as `[{ url: "/" }]`. */
  readonly servers?: readonly { readonly url: string }[];
  /** Comments of RPCs, messages, fields and enums by full name; the generated code has none. */
  readonly comments?: Readonly<Record<string, string>>;
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Adds to an operation's description in place. */
  readonly extend?: (operation: Operation, described: OpenApiOperation) => void;
}

const json = (schema: Schema) => ({ "application/json": { schema } });
/** Schemas of errors, the first two with the names that clients of such APIs know. */
const errorSchemas: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    type: "object",
    title: "HTTPValidationError",
    properties: { detail: { type: "array", title: "Detail", items: { $ref: "#/components/schemas/ValidationError" } } },
  },
  ValidationError: {
    type: "object",
    title: "ValidationError",
    required: ["loc", "msg", "type"],
    properties: {
      loc: { type: "array", title: "Location", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
      msg: { type: "string", title: "Message" },
      type: { type: "string", title: "Error Type" },
      input: { title: "Input" },
      ctx: { type: "object", title: "Context" },
    },
  },
  Error: {
    type: "object",
    title: "Error",
    required: ["detail", "code"],
    properties: { detail: { type: "string" }, code: { type: "string" } },
  },
  NotFound: { type: "object", title: "NotFound", required: ["detail"], properties: { detail: { type: "string" } } },
};

/** An OpenAPI 3.1.0 document of all operations. */
export function describeOperations(compiled: readonly CompiledOperation[], options: DescribeOptions): object {
  const book = new SchemaBook(options.comments);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of compiled) {
    const { operation } = one;
    const described = describeOperation(one, book, options);
    options.extend?.(operation, described);
    paths[operation.path] = { ...paths[operation.path], [operation.httpMethod.toLowerCase()]: described };
  }
  const { schemas, resolve } = book.finish();
  const named = Object.entries({ ...schemas, ...errorSchemas }).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: "3.1.0",
    info: {
      title: options.title,
      version: options.version,
      ...(options.license === undefined ? {} : { license: options.license }),
    },
    ...(options.servers === undefined ? {} : { servers: options.servers }),
    paths: resolve(paths),
    components: {
      schemas: Object.fromEntries(named),
      ...(options.securitySchemes === undefined ? {} : { securitySchemes: options.securitySchemes }),
    },
    ...(options.security === undefined ? {} : { security: options.security }),
  };
}

function describeOperation(one: CompiledOperation, book: SchemaBook, options: DescribeOptions): OpenApiOperation {
  const { operation, binding } = one;
  const { method, route } = operation;
  const comment = options.comments?.[rpcName(method)];
  const parameter = (where: string, name: string, reader: FieldReader, description?: string) => ({
    name,
    in: where,
    required: where === "path" || reader.required,
    ...describedBy(description ?? options.comments?.[`${reader.field.parent.typeName}.${reader.name}`]),
    schema: book.parameter(reader),
  });
  const fieldOf = (name: string) => binding.headers.find(({ header }) => header.name === name)?.reader;
  const parameters = [
    ...binding.path.map((reader) => parameter("path", reader.name, reader)),
    ...binding.query.map((reader) => parameter("query", reader.name, reader)),
    ...route.headers.map(({ name, description }) => {
      const reader = fieldOf(name);
      if (reader !== undefined) return parameter("header", name, reader, description);
      return { name, in: "header", required: false, ...describedBy(description), schema: { type: "string" } };
    }),
  ];
  const body = requestBody(method, binding, book);
  return {
    operationId: operation.id,
    ...(route.tag === "" ? {} : { tags: [route.tag] }),
    summary: summaryOf(method),
    ...describedBy(comment),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: describeResponses(one, book),
  };
}

function describedBy(description: string | undefined): { description?: string } {
  return description === undefined || description === "" ? {} : { description };
}

/** `CreateRole` → `Create role`. */
function summaryOf({ name }: DescMethod): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function requestBody(
  method: DescMethod,
  { body, members }: CompiledOperation["binding"],
  book: SchemaBook,
): object | undefined {
  if (body !== undefined) {
    return {
      required: !body.nullable && body.traits.default === undefined,
      content: json(book.field(body.field, "input")),
    };
  }
  if (members.length === 0) return undefined;
  return { required: true, content: json(book.store(method.input, book.object(method.input, members, "input"))) };
}
