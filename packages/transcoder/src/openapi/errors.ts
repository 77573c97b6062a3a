import { type Area, renderInArea } from "../errors/area.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Schema } from "../messages/schema-checks.ts";

/** A failure as the description knows it: one named response, whatever operation answers it. */
interface Failure {
  /** Name among the components. */
  readonly name: string;
  readonly description: string;
  /** What an example of it says. */
  readonly detail: string;
  readonly code: string;
  /** Headers, by name among the components. */
  readonly headers?: readonly string[];
}

const retry = ["Retry-After"];

/** Every status that is no success and can be answered, but for 422, whose body is its own. */
export const failures: Readonly<Record<number, Failure>> = {
  400: {
    name: "BadRequest",
    description: "The request is not valid HTTP, or its body cannot be read",
    detail: "There was an error parsing the body",
    code: "body_unreadable",
  },
  401: {
    name: "Unauthorized",
    description: "No valid credential",
    detail: "The credential is unknown",
    code: "credential_unknown",
    headers: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description: "The credential lacks a permission",
    detail: "Missing permission: roles:manage",
    code: "permission_missing",
  },
  404: { name: "NotFound", description: "Not found", detail: "Not found", code: "not_found" },
  408: {
    name: "RequestTimeout",
    description: "The request did not arrive in time",
    detail: "Body did not arrive in time",
    code: "body_timeout",
  },
  409: {
    name: "Conflict",
    description: "Another request at the same time was faster; nothing was done",
    detail: "The record changed at the same time; try again",
    code: "write_conflict",
  },
  412: {
    name: "PreconditionFailed",
    description: "What If-Match asked for does not hold",
    detail: 'The dictionary has changed since: its ETag is "4"',
    code: "etag_mismatch",
  },
  411: {
    name: "LengthRequired",
    description: "The request needs Content-Length",
    detail: "Content-Length is missing: say how many bytes the body has",
    code: "length_required",
  },
  413: {
    name: "ContentTooLarge",
    description: "The body is too large",
    detail: "Body is larger than 1048576 bytes",
    code: "body_too_large",
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body's encoding is not known",
    detail: "Content-Encoding may be identity, gzip or br",
    code: "unsupported_encoding",
  },
  416: {
    name: "RangeNotSatisfiable",
    description: "The range begins behind the last byte",
    detail: "The range begins behind the last of 12 bytes",
    code: "range_not_satisfiable",
  },
  428: {
    name: "PreconditionRequired",
    description: "The request needs If-Match",
    detail: "If-Match is missing: read the draft, then publish it with its ETag as If-Match",
    code: "precondition_required",
  },
  429: {
    name: "TooManyRequests",
    description: "Your budget is used up; Retry-After says when to try again",
    detail: "Too many requests; slow down",
    code: "rate_limited",
    headers: retry,
  },
  431: {
    name: "HeadersTooLarge",
    description: "The request's URL and headers are too large",
    detail: "The request's headers are too large",
    code: "headers_too_large",
  },
  500: { name: "InternalError", description: "Internal error", detail: "Internal error", code: "internal" },
  501: {
    name: "NotImplemented",
    description: "The service that runs does not know the operation: it is older than this description",
    detail: "Not implemented",
    code: "unimplemented",
  },
  502: {
    name: "BadGateway",
    description: "An external service failed",
    detail: "Temporarily unavailable",
    code: "unavailable",
  },
  503: {
    name: "Unavailable",
    description: "Temporarily unavailable; Retry-After says when to try again",
    detail: "Temporarily unavailable",
    code: "unavailable",
    headers: retry,
  },
  504: {
    name: "Timeout",
    description: "The answer took too long",
    detail: "The answer took too long",
    code: "deadline_exceeded",
  },
};

/** Name of the 422's response among the components. */
const unprocessable = "UnprocessableContent";

/** Schemas of errors, the first two with the names and fields that clients of such APIs know. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
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
  Problem: {
    type: "object",
    title: "Problem",
    description: "RFC 9457; answered where `Accept` prefers `application/problem+json`.",
    required: ["type", "title", "status", "detail", "code"],
    properties: {
      type: { type: "string" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string" },
      code: { type: "string" },
      errors: { type: "array", items: { $ref: "#/components/schemas/ValidationError" } },
    },
  },
};

const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

/** Headers that several responses have, by their name. */
export const sharedHeaders: Readonly<Record<string, object>> = {
  "Retry-After": {
    description: "Seconds to wait before the request is repeated; it had no effect.",
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": {
    description: '`Bearer`, with `error="invalid_token"` where a credential was shown.',
    schema: { type: "string" },
  },
  ETag: {
    description: "Version of what is answered, for `If-None-Match` and `If-Match`.",
    schema: { type: "string" },
  },
};

/** References to headers among the components. */
export function headerReferences(names: readonly string[]): { headers?: object } {
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}

/** Body of a failure. */
export function errorContent(status: number): object {
  const { detail, code } = failures[status] ?? { detail: "", code: "" };
  const isNotFound = status === 404;
  const schema = { $ref: `#/components/schemas/${isNotFound ? "NotFound" : "Error"}` };
  return { "application/json": { schema, example: isNotFound ? { detail } : { detail, code } }, ...problem };
}

/** The response of a status, as a reference; with `description`, that of one operation, written out. */
export function failureResponse(status: number, description?: string): object {
  if (status === 422) return { $ref: `#/components/responses/${unprocessable}` };
  const failure = failures[status];
  if (failure === undefined) return { description: description ?? "Failure", content: errorContent(status) };
  if (description === undefined || description === failure.description) {
    return { $ref: `#/components/responses/${failure.name}` };
  }
  return { description, ...headerReferences(failure.headers ?? []), content: errorContent(status) };
}

const invalid: Failure = {
  name: unprocessable,
  description: "Validation Error",
  detail: "The request has 1 problem",
  code: "invalid_argument",
};

/** The response of a status in an area, whose failures have a form of their own: as a reference where the operation adds nothing. */
export function areaResponse(area: Area, status: number, description?: string): object {
  const failure = failures[status] ?? invalid;
  if (description !== undefined && description !== failure.description) return inArea(area, status, description);
  return { $ref: `#/components/responses/${nameInArea(area, failure)}` };
}

/** Responses of failures in an area, by name. */
export function areaResponses(area: Area): Record<string, object> {
  const all: [number, Failure][] = Object.entries(failures).map(([status, failure]) => [Number(status), failure]);
  const named = [...all, [422, invalid] as const].map(([status, failure]) => [
    nameInArea(area, failure),
    inArea(area, status, failure.description),
  ]);
  return Object.fromEntries(named);
}

/** `NotFound` in `/old/shop` is `NotFoundInOldShop`. */
function nameInArea({ path }: Area, { name }: Failure): string {
  const words = path.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${name}In${words.join("")}`;
}

function inArea(area: Area, status: number, description: string): object {
  const { detail, code, headers = [] } = failures[status] ?? invalid;
  const names = [area.codeMember, area.messageMember];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const schema = { type: "object", required: names, properties };
  const example = JSON.parse(renderInArea(area, new HttpError(status, detail, code)));
  const content = { "application/json": { schema, example }, ...problem };
  return { description, ...headerReferences(headers), content };
}

/** Responses of failures, by name. */
export function errorResponses(): Record<string, object> {
  const named = Object.entries(failures).map(([status, { name, description, headers = [] }]) => [
    name,
    { description, ...headerReferences(headers), content: errorContent(Number(status)) },
  ]);
  const example = { detail: [{ type: "missing", loc: ["body", "name"], msg: "Field required", input: {} }] };
  const schema = { $ref: "#/components/schemas/HTTPValidationError" };
  const content = { "application/json": { schema, example }, ...problem };
  return { ...Object.fromEntries(named), [unprocessable]: { description: "Validation Error", content } };
}
