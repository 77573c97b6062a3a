import { type ClientSession, MongoError, MongoServerError } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { asStoreError, StoreUnavailableError, TransactionConflictError } from "./errors.ts";

// The driver alone would go on for two minutes, long after every caller has given up.
const defaultLongestMs = 10_000;

/**
 * Runs `work` in one transaction and repeats it when the server asks for that (a write conflict, an election), so `work`
 * must have no effect outside of `session`. Keep it short: at most one per request.
 * Rejects with {@link TransactionConflictError} when others were in the way for `longestMs` (default 10 000).
 */
export async function withTransaction<R>(
  store: DocumentStore,
  work: (session: ClientSession) => Promise<R>,
  { longestMs = defaultLongestMs }: { longestMs?: number } = {},
): Promise<R> {
  const session = store.client.startSession();
  const deadline = performance.now() + longestMs;
  let lastFailure: unknown;
  try {
    return await session.withTransaction(async () => {
      if (performance.now() > deadline) throw givenUp(lastFailure);
      try {
        return await work(session);
      } catch (error) {
        lastFailure = driverErrorBehind(error);
        throw lastFailure;
      }
    });
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await session.endSession();
  }
}

const writeConflict = 112;

function givenUp(cause: unknown): Error {
  if (cause instanceof MongoServerError && cause.code === writeConflict) {
    return new TransactionConflictError("another transaction is in the way", { cause });
  }
  return new StoreUnavailableError("the transaction was repeated for too long", { cause });
}

/** The driver repeats a transaction only when it sees its own error, which our error classes carry as their cause. */
function driverErrorBehind(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof MongoError && cause.hasErrorLabel("TransientTransactionError") ? cause : error;
}
