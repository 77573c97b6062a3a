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
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { NotFoundError } from "./not-found-error.ts";
import { storeErrors } from "./store-errors.ts";

describe("a failure of the database", () => {
  it.each([
    [NotFoundError, Code.NotFound, "NOT_FOUND"],
    [InvalidCursorError, Code.InvalidArgument, "CURSOR_INVALID"],
    [InvalidListRequestError, Code.InvalidArgument, "FIELDS_INVALID"],
    [IdempotencyKeyReusedError, Code.InvalidArgument, "IDEMPOTENCY_KEY_REUSED"],
    [RequestInFlightError, Code.Aborted, "REQUEST_IN_FLIGHT"],
    [TransactionConflictError, Code.Aborted, "WRITE_CONFLICT"],
    [DuplicateKeyError, Code.Aborted, "WRITE_CONFLICT"],
    [StoreUnavailableError, Code.Unavailable, "STORE_UNAVAILABLE"],
    [WriteUnavailableError, Code.Unavailable, "STORE_UNAVAILABLE"],
    [WriteOutcomeUnknownError, Code.Unavailable, "STORE_UNAVAILABLE"],
  ] as const)("%p is one reason for callers of every service", (error, code, reason) => {
    expect(storeErrors.get(error)).toMatchObject({ code, reason });
  });
});
