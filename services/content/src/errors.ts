import { DuplicateKeyError, StoreUnavailableError, WriteUnavailableError } from "@aiplatform/document-store";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";

const unavailable = { code: Code.Unavailable, reason: "STORE_UNAVAILABLE" };

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const contentErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [DuplicateKeyError, { code: Code.Aborted, reason: "WRITE_CONFLICT" }],
  [StoreUnavailableError, unavailable],
  [WriteUnavailableError, unavailable],
]);
