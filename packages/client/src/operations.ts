import { operations } from "../gen/operations.js";

/** A parameter of an operation, or a field of its body. */
export interface Parameter {
  /** As the API spells it. */
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  /** One or more sentences. */
  description: string;
  type: "string" | "integer" | "number" | "boolean" | "array" | "object";
}

/** What an operation takes as JSON: an object with fields, or an array. */
export interface OperationBody {
  type: "object" | "array";
  fields: Omit<Parameter, "in">[];
}

/** An operation of the REST API. */
export interface Operation {
  /** The OpenAPI `operationId`. */
  id: string;
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for each path parameter. */
  path: string;
  /** Group, such as `deployments`. */
  tag: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  /** Absent: it takes none. */
  body?: OperationBody;
  /** Whether its body is bytes as they are. */
  takesBytes: boolean;
  /** Whether it answers a stream of events. */
  streams: boolean;
  /** Whether it answers JSON. */
  json: boolean;
  /** Whether it answers by the page. */
  paged: boolean;
}

/** Every operation, in the order of the API's description. */
export function operationsOfApi(): readonly Operation[] {
  return operations;
}

/** Whether repeating the operation under one `Idempotency-Key` has one effect. */
export function isIdempotent({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === "Idempotency-Key");
}
