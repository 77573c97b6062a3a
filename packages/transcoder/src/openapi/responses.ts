import { isContent, isDocument } from "../messages/field-traits.ts";
import type { Schema } from "../messages/schema-checks.ts";
import type { CompiledOperation } from "../routes/operation.ts";
import { areaResponse, errorContent, failureResponse, headerReferences } from "./errors.ts";
import type { SchemaBook } from "./schema.ts";

/** Bytes of types that the contract names. Those that are JSON are described as the values that they are read as. */
function contentOfTypes(types: readonly string[]): Record<string, { schema: Schema }> {
  const schemaOf = (type: string): Schema =>
    type === "application/json" ? {} : { type: "string", contentMediaType: type };
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }]));
}

/** Which type a document has is known only once it is there; most are pages. */
const pageContent = { "text/html": { schema: { type: "string" } } };

/** Bytes; which type they have is known only once they are there. */
export const byteContent = {
  "application/octet-stream": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
};

/** Statuses that every operation has: of the connection, of the edge, of the RPC. */
const everyStatus = [400, 401, 403, 408, 422, 429, 431, 500, 501, 503, 504];
/** Statuses that every operation with a body has. */
const bodyStatuses = [413, 415];
/** Statuses that every operation has which changes something: two at once may be in each other's way. */
const writeStatuses = [409];
const partialContent = 206;
const notModified = 304;
const preconditionFailed = 412;

/** What the responses say besides the contract. */
export interface ResponseWords {
  /** An answer as it is written, for a success. */
  readonly example?: unknown;
  /** Names of headers, among the components, that every success has. */
  readonly headers: readonly string[];
}

/** Every answer of an operation, by status. */
export function describeResponses(one: CompiledOperation, book: SchemaBook, words: ResponseWords): object {
  const { operation, binding, area } = one;
  const { status, route, httpMethod } = operation;
  const hasBody = operation.takesStream || binding.body !== undefined || binding.members.length > 0;
  const answers: Record<string, object> = { [status]: successResponse(one, book, words) };
  const common = [...everyStatus, ...(hasBody ? bodyStatuses : []), ...(httpMethod === "GET" ? [] : writeStatuses)];
  const failureOf = (code: number, description?: string) =>
    area === undefined ? failureResponse(code, description) : areaResponse(area, code, description);
  for (const code of common) answers[code] ??= failureOf(code);
  for (const { status: code, description } of route.answers) {
    if (code === partialContent)
      answers[code] = { ...successResponse(one, book, { headers: words.headers }), description };
    else if (code === notModified) answers[code] = { description, ...headerReferences(["ETag", ...words.headers]) };
    // The service explains itself with a document of its own; what never reached the service is answered as ever.
    else if (isDocument(binding.responseBody))
      answers[code] = { description, content: { ...pageContent, ...errorContent(code) } };
    else answers[code] = failureOf(code, description);
  }
  return answers;
}

/** Whether an operation's answers have a version that requests can be conditional on. */
export function hasEntityTag({ route }: CompiledOperation["operation"]): boolean {
  return route.answers.some(({ status }) => status === notModified || status === preconditionFailed);
}

function successResponse(one: CompiledOperation, book: SchemaBook, { example, headers: shared }: ResponseWords) {
  const references = headerReferences([...(hasEntityTag(one.operation) ? ["ETag"] : []), ...shared]);
  const headers = { ...successHeaders(one.binding), ...references.headers };
  const content = successContent(one, book);
  const shown = example === undefined ? {} : { example };
  return {
    description: "Success",
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      ...Object.fromEntries(Object.entries(content).map(([type, of]) => [type, { ...of, ...shown }])),
      // The example is JSON.
      ...contentOfTypes(one.operation.route.alternatives),
    },
  };
}

function successHeaders({ nextCursor, headers, responseBody }: CompiledOperation["binding"]): Record<string, object> {
  const schema = { type: "string" };
  const isIdempotent = headers.some(({ header }) => header.name.toLowerCase() === "idempotency-key");
  return {
    ...(nextCursor === undefined
      ? {}
      : { Link: { description: 'The next page, as `<path?query>; rel="next"`; absent on the last one.', schema } }),
    ...(isIdempotent
      ? { "Idempotency-Replayed": { description: "`true` when the answer is one that was given before.", schema } }
      : {}),
    ...(isContent(responseBody)
      ? { "Repr-Digest": { description: "Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`.", schema } }
      : {}),
  };
}

function successContent(
  { operation: { method, streams, route }, binding: { responseBody } }: CompiledOperation,
  book: SchemaBook,
): Record<string, { schema: Schema }> {
  if (isDocument(responseBody)) return pageContent;
  if (isContent(responseBody)) return route.mediaTypes.length > 0 ? contentOfTypes(route.mediaTypes) : byteContent;
  const schema =
    responseBody === undefined
      ? book.message(method.output, "output")
      : withoutNull(book.field(responseBody, "output"));
  return streams
    ? { "text/event-stream": { schema }, "application/x-ndjson": { schema } }
    : { "application/json": { schema } };
}

/** A body is never null: a service that answers success has something to show. */
function withoutNull(schema: Schema): Schema {
  const choices = schema["anyOf"];
  return Array.isArray(choices) && choices.length === 2 ? choices[0] : schema;
}
