import { isDocument } from "./answer-renderer.ts";
import type { Schema, SchemaBook } from "./openapi-schema.ts";
import type { CompiledOperation } from "./operation.ts";

const json = (schema: Schema) => ({ "application/json": { schema } });
const errorContent = json({ $ref: "#/components/schemas/Error" });
/** Which type a document has is known only once it is there; most are pages. */
const pageContent = { "text/html": { schema: { type: "string" } } };

/** Statuses that every operation has. */
const everyAnswer: Readonly<Record<number, string>> = {
  401: "No valid credential",
  403: "The credential lacks a permission",
  429: "Your budget is used up; Retry-After says when to try again",
  500: "Internal error",
  503: "Temporarily unavailable; Retry-After says when to try again",
  504: "The answer took too long",
};
/** Statuses that every operation with a body has. */
const bodyAnswers: Readonly<Record<number, string>> = {
  400: "The body cannot be read",
  408: "The body did not arrive in time",
  413: "The body is too large",
  415: "The body's encoding is not known",
};

/** Every answer of an operation, by status. */
export function describeResponses({ operation, binding }: CompiledOperation, book: SchemaBook): object {
  const { status, route } = operation;
  const headers = successHeaders(binding);
  const answers: Record<string, unknown> = {
    [status]: {
      description: "Success",
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: successContent({ operation, binding }, book),
    },
  };
  const hasBody = binding.body !== undefined || binding.members.length > 0;
  for (const [code, description] of [...entries(everyAnswer), ...(hasBody ? entries(bodyAnswers) : [])]) {
    answers[code] ??= { description, content: errorContent };
  }
  for (const { status: code, description } of route.answers) {
    const error = code === 404 ? json({ $ref: "#/components/schemas/NotFound" }) : errorContent;
    // The service explains itself with a document of its own; what never reached the service is answered as ever.
    answers[code] = { description, content: isDocument(binding.responseBody) ? { ...pageContent, ...error } : error };
  }
  answers[422] = {
    description: "Validation Error",
    content: json({ $ref: "#/components/schemas/HTTPValidationError" }),
  };
  return answers;
}

function successHeaders({ nextCursor, headers }: CompiledOperation["binding"]): Record<string, object> {
  const schema = { type: "string" };
  const isReplayable = headers.some(({ header }) => header.name.toLowerCase() === "idempotency-key");
  return {
    ...(nextCursor === undefined
      ? {}
      : { Link: { description: 'The next page, as `<path?query>; rel="next"`; absent on the last one.', schema } }),
    ...(isReplayable
      ? { "Idempotency-Replayed": { description: "`true` when the answer is one that was given before.", schema } }
      : {}),
  };
}

function successContent(
  { operation: { method, streams }, binding: { responseBody } }: Pick<CompiledOperation, "operation" | "binding">,
  book: SchemaBook,
): object {
  if (isDocument(responseBody)) return pageContent;
  const schema =
    responseBody === undefined
      ? book.message(method.output, "output")
      : withoutNull(book.field(responseBody, "output"));
  return streams ? { "text/event-stream": { schema }, "application/x-ndjson": { schema } } : json(schema);
}

/** A body is never null: a service that answers success has something to show. */
function withoutNull(schema: Schema): Schema {
  const choices = schema["anyOf"];
  return Array.isArray(choices) && choices.length === 2 ? choices[0] : schema;
}

function entries(table: Readonly<Record<number, string>>): [number, string][] {
  return Object.entries(table).map(([status, description]) => [Number(status), description]);
}
