import { tag as tagOption } from "@aiplatform/contract/transcoder/v1/route";
import { type DescMethod, type DescService, getOption } from "@bufbuild/protobuf";
import { listDescriptions } from "../lists/list-descriptions.ts";
import type { FieldReader } from "../messages/message-reader.ts";
import type { Refinement, Schema } from "../messages/schema-checks.ts";
import { rpcName } from "../routes/annotations.ts";
import { type CompiledOperation, compileOperations, type Operation } from "../routes/operation.ts";
import { placeNames } from "../routes/path-template.ts";
import { areaResponses, errorResponses, errorSchemas, sharedHeaders } from "./errors.ts";
import { byteContent, describeResponses, hasEntityTag } from "./responses.ts";
import { SchemaBook } from "./schema.ts";

/** An operation of an OpenAPI document. */
export type OpenApiOperation = Record<string, unknown>;

/** A request and its answer, as they could be. */
export interface Example {
  /** Fields of the request by name, wherever the operation takes them from. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The body of a success; of a stream, one event. */
  readonly response: unknown;
}

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
  /** What the API is, in Markdown. */
  readonly description?: string;
  /** Headers that every success has, by name. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Examples by full name of the RPC. Default: none. */
  readonly examples?: Readonly<Record<string, Example>>;
  /** Adds keywords to the schema of a field that is read; the service refuses what breaks them. */
  readonly refine?: Refinement;
  /**
   * Operations whose requests may have nothing that the contract does not know (422 `extra_forbidden`), and no date-time without a
   * zone (`timezone_aware`), and whose 422 lists what breaks added schemas beside everything else. Default: none; what is unknown is
   * ignored, a date-time without a zone is UTC, and a 422 has pydantic's problems, or else the service's.
   */
  readonly strict?: (operation: Operation) => boolean;
  /** Adds to an operation's description in place. */
  readonly extend?: (operation: Operation, described: OpenApiOperation) => void;
}

/** An OpenAPI 3.1.0 document of all operations. */
export function describeOperations(compiled: readonly CompiledOperation[], options: DescribeOptions): object {
  const book = new SchemaBook(options.comments, options.refine);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of compiled) {
    const { operation } = one;
    const described = describeOperation(one, book, options);
    options.extend?.(operation, described);
    paths[operation.path] = { ...paths[operation.path], [operation.httpMethod.toLowerCase()]: described };
  }
  const { schemas, resolve } = book.finish();
  // What no operation of these answers is not spoken of.
  const text = JSON.stringify(paths);
  const areas = [...new Set(compiled.flatMap(({ area }) => area ?? []))];
  const failures = Object.assign(errorResponses(), ...areas.map(areaResponses));
  const responses = Object.fromEntries(
    Object.entries(failures).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
  const named = Object.entries({ ...schemas, ...errorSchemas }).sort(([a], [b]) => (a < b ? -1 : 1));
  const tags = tagsOf(compiled, options.comments);
  return {
    openapi: "3.1.0",
    info: {
      title: options.title,
      version: options.version,
      ...describedBy(options.description),
      ...(options.license === undefined ? {} : { license: options.license }),
    },
    ...(options.servers === undefined ? {} : { servers: options.servers }),
    ...(tags.length === 0 ? {} : { tags }),
    paths: resolve(paths),
    components: {
      schemas: Object.fromEntries(named),
      responses,
      headers: { ...sharedHeaders, ...options.headers },
      ...(options.securitySchemes === undefined ? {} : { securitySchemes: options.securitySchemes }),
    },
    ...(options.security === undefined ? {} : { security: options.security }),
  };
}

const tagOf = ({ route, service }: Operation) => route.tag || getOption(service, tagOption);

/** Groups of operations in the order of their services, whose comments describe them. */
function tagsOf(compiled: readonly CompiledOperation[], comments: DescribeOptions["comments"] = {}): object[] {
  const operations = compiled.map(({ operation }) => operation).filter((operation) => tagOf(operation) !== "");
  return [...Map.groupBy(operations, tagOf)].map(([name, grouped]) => {
    const owners = grouped.map(({ service }) => service).filter((service) => getOption(service, tagOption) === name);
    const description = [...new Set(owners)].flatMap(({ typeName }) => comments[typeName] ?? []).join("\n");
    return { name, ...describedBy(description) };
  });
}

function describeOperation(one: CompiledOperation, book: SchemaBook, options: DescribeOptions): OpenApiOperation {
  const { operation } = one;
  const { method } = operation;
  const name = rpcName(method);
  const example = options.examples?.[name];
  const parameters = parametersOf(one, book, options);
  const body = requestBody(one, book, example);
  const headers = Object.keys(options.headers ?? {});
  return {
    operationId: operation.id,
    ...(tagOf(operation) === "" ? {} : { tags: [tagOf(operation)] }),
    summary: summaryOf(method),
    ...describedBy(options.comments?.[name]),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: describeResponses(one, book, { headers, ...(example && { example: example.response }) }),
  };
}

function parametersOf(
  { operation, template, binding }: CompiledOperation,
  book: SchemaBook,
  { comments, examples }: DescribeOptions,
): object[] {
  const { method, route, httpMethod } = operation;
  const given = examples?.[rpcName(method)]?.request ?? {};
  const derived = listDescriptions(method.input);
  const commentOf = ({ field, name }: FieldReader) => comments?.[`${field.parent.typeName}.${name}`] ?? "";
  const textOf = (reader: FieldReader) =>
    [commentOf(reader), derived[reader.name] ?? ""].filter((text) => text !== "").join("\n\n");
  const parameter = (where: string, name: string, reader: FieldReader, description?: string) => ({
    name,
    in: where,
    required: where === "path" || reader.required,
    ...describedBy(description ?? textOf(reader)),
    schema: book.parameter(reader),
    ...(reader.name in given ? { example: given[reader.name] } : {}),
  });
  const fieldOf = (name: string) => binding.headers.find(({ header }) => header.name === name)?.reader;
  const isConditional = httpMethod === "GET" && hasEntityTag(operation);
  return [
    ...binding.path.flatMap((reader, index) => {
      const variable = template.variables[index];
      if (variable === undefined || variable.parts.length === 1) return [parameter("path", reader.name, reader)];
      return placeNames(variable).map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
    }),
    ...binding.query.map((reader) => parameter("query", reader.name, reader)),
    ...route.headers.map(({ name, description, required }) => {
      const reader = fieldOf(name);
      if (reader === undefined)
        return { name, in: "header", required, ...describedBy(description), schema: { type: "string" } };
      const described = parameter("header", name, reader, description);
      return { ...described, required: required || described.required };
    }),
    ...(isConditional ? [ifNoneMatch] : []),
  ];
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "An `ETag` of an earlier answer: 304 while it still holds.",
  schema: { type: "string" },
};

function describedBy(description: string | undefined): { description?: string } {
  return description === undefined || description === "" ? {} : { description };
}

/** `CreateRole` → `Create role`. */
function summaryOf({ name }: DescMethod): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function requestBody(
  { operation: { method }, binding: { body, bodyPieces, members, isBodyOptional, strict } }: CompiledOperation,
  book: SchemaBook,
  example: Example | undefined,
): object | undefined {
  if (bodyPieces !== undefined) return { required: true, content: byteContent };
  const content = (schema: Schema, shown: unknown) => ({
    "application/json": { schema, ...(shown === undefined ? {} : { example: shown }) },
  });
  if (body !== undefined) {
    return {
      required: !isBodyOptional,
      content: content(book.field(body.field, "input"), example?.request[body.name]),
    };
  }
  if (members.length === 0) return undefined;
  const names = new Set(members.map(({ name }) => name));
  const shown = example && Object.fromEntries(Object.entries(example.request).filter(([name]) => names.has(name)));
  // Messages within may be those of other operations, too, which are not strict.
  const closed = strict ? { additionalProperties: false } : {};
  return {
    required: !isBodyOptional,
    content: content(book.store(method.input, { ...book.object(method.input, members, "input"), ...closed }), shown),
  };
}

/** The OpenAPI 3.1.0 document of annotated services, without serving them. Throws as `createTranscoder` does. */
export function describeServices(services: readonly DescService[], options: DescribeOptions): object {
  return describeOperations(compileOperations(services, options), options);
}

/**
 * Full name of each annotated RPC → id of its operation, the first where it has several: the RPC's name, in camel case; with its
 * service's in front where two share it.
 */
export function operationNames(services: readonly DescService[]): Record<string, string> {
  const names: Record<string, string> = {};
  for (const { operation } of compileOperations(services)) names[rpcName(operation.method)] ??= operation.id;
  return names;
}
