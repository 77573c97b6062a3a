import { errorDomain, withReason } from "@aiplatform/caller-identity";
import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { watchCall } from "../call-end.ts";
import { type FieldViolation, InvalidFieldsError } from "../invalid-fields-error.ts";
import { withStandardDetails } from "./error-details.ts";

type OutgoingDetail = NonNullable<ConstructorParameters<typeof ConnectError>[3]>[number];

// biome-ignore lint/suspicious/noExplicitAny: constructors of every shape; only `instanceof` is asked of them
export type ErrorClass = abstract new (...args: any[]) => Error;

/** What callers see of a failure: its message, this code, and an ErrorInfo with this reason. */
export interface ErrorEntry {
  readonly code: Code;
  /** Stable, UPPER_SNAKE_CASE; read from the error where one class has several. */
  readonly reason: string | ((error: Error) => string);
  /** Facts a program can use, as the ErrorInfo's metadata. */
  readonly metadata?: (error: Error) => Record<string, string>;
  /** Which fields of the request are wrong, as a google.rpc.BadRequest; `field` is a path such as `role_ids[2]`. */
  readonly violations?: (error: Error) => readonly FieldViolation[];
}

/** A service's failures by class; a class stands for its subclasses too. */
export type ErrorTable = ReadonlyMap<ErrorClass, ErrorEntry>;

/** Failures that no service has to say in its table. */
const everywhere: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [
    InvalidFieldsError,
    {
      code: Code.InvalidArgument,
      reason: "FIELDS_INVALID",
      violations: (error) => (error instanceof InvalidFieldsError ? error.violations : []),
    },
  ],
]);

interface ErrorMapping {
  readonly errors: ErrorTable;
  /** Whether an error that says no reason gets the name of its code as its reason; default true. */
  readonly addsReasons?: boolean;
}

/**
 * Turns what handlers throw into what callers receive. A ConnectError keeps code, text and details; a class of the table becomes
 * its entry; everything else becomes INTERNAL without its text, which stays in the log. Each has an ErrorInfo in the end.
 */
export function errorMappingInterceptor(mapping: ErrorMapping): Interceptor {
  return (next) => (request) =>
    watchCall(next, request, { failed: (error) => mapError(error, { ...mapping, signal: request.signal }) });
}

/** @see errorMappingInterceptor */
export function mapError(
  error: unknown,
  { errors, addsReasons = true, signal }: ErrorMapping & { signal?: AbortSignal },
): ConnectError {
  const mapped = withStandardDetails(connectErrorOf(error, { errors, signal }));
  return addsReasons ? withReason(mapped) : mapped;
}

function connectErrorOf(error: unknown, o: { errors: ErrorTable; signal: AbortSignal | undefined }): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error) {
    const entry = entryFor(error, o.errors) ?? entryFor(error, everywhere);
    if (entry) return describedError(error, entry);
  }
  // Work that stopped because the call was over has no failure of its own: the call's end is the answer.
  if (o.signal?.aborted) return ConnectError.from(o.signal.reason, Code.Canceled);
  return new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}

function entryFor(error: Error, errors: ErrorTable): ErrorEntry | undefined {
  for (let step = Object.getPrototypeOf(error); step !== null; step = Object.getPrototypeOf(step)) {
    const entry = errors.get(step.constructor);
    if (entry) return entry;
  }
  return undefined;
}

function describedError(error: Error, { code, reason, metadata, violations }: ErrorEntry): ConnectError {
  const name = typeof reason === "string" ? reason : reason(error);
  const value = { reason: name, domain: errorDomain, metadata: metadata?.(error) ?? {} };
  const fieldViolations = (violations?.(error) ?? []).map((violation) => ({ reason: name, ...violation }));
  const details: OutgoingDetail[] = [{ desc: ErrorInfoSchema, value }];
  if (fieldViolations.length > 0) details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  return new ConnectError(error.message, code, undefined, details, error);
}
