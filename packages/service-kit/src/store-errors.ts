import {
  DuplicateKeyError,
  IdempotencyKeyReusedError,
  InvalidCursorError,
  RequestInFlightError,
  StoreUnavailableError,
  TransactionConflictError,
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "@aiplatform/document-store";
import { InvalidListRequestError } from "@aiplatform/list-filter";
import type { ErrorClass, ErrorEntry, ErrorTable, FieldViolation } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";
import { NotFoundError } from "./not-found-error.ts";

const writeConflict = { code: Code.Aborted, reason: "WRITE_CONFLICT" };
const unavailable = { code: Code.Unavailable, reason: "STORE_UNAVAILABLE" };

/** The `field` that an error carries, as a violation; none when it carries none. */
export function fieldViolations(error: Error): FieldViolation[] {
  return "field" in error && typeof error.field === "string"
    ? [{ field: error.field, description: error.message }]
    : [];
}

function listViolations(error: Error): readonly FieldViolation[] {
  return error instanceof InvalidListRequestError ? error.violations : [];
}

/** What callers see of the failures of the database and of what it does not have, the same from every service. */
export const storeErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [NotFoundError, { code: Code.NotFound, reason: "NOT_FOUND" }],
  [InvalidCursorError, { code: Code.InvalidArgument, reason: "CURSOR_INVALID", violations: fieldViolations }],
  [InvalidListRequestError, { code: Code.InvalidArgument, reason: "FIELDS_INVALID", violations: listViolations }],
  [
    IdempotencyKeyReusedError,
    { code: Code.InvalidArgument, reason: "IDEMPOTENCY_KEY_REUSED", violations: fieldViolations },
  ],
  [RequestInFlightError, { code: Code.Aborted, reason: "REQUEST_IN_FLIGHT" }],
  [TransactionConflictError, writeConflict],
  [DuplicateKeyError, writeConflict],
  [StoreUnavailableError, unavailable],
  [WriteUnavailableError, unavailable],
  [WriteOutcomeUnknownError, unavailable],
]);
