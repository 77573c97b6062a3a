import { type ClientSession, MongoError } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { asStoreError, StoreUnavailableError } from "./errors.ts";

// The driver alone would go on for two minutes, long after every caller has given up.
const longestMs = 10_000;

/**
 * Runs `work` in one transaction and repeats it when the server asks for that (a write conflict, an election), so `work`
 * must have no effect outside of `session`. Keep it short: at most one per request.
 */
export async function withTransaction<R>(
  store: DocumentStore,
  work: (session: ClientSession) => Promise<R>,
): Promise<R> {
  const session = store.client.startSession();
  const deadline = performance.now() + longestMs;
  try {
    return await session.withTransaction(async () => {
      if (performance.now() > deadline) throw new StoreUnavailableError("the transaction was repeated for too long");
      try {
        return await work(session);
      } catch (error) {
        throw driverErrorBehind(error);
      }
    });
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await session.endSession();
  }
}

/** The driver repeats a transaction only when it sees its own error, which our error classes carry as their cause. */
function driverErrorBehind(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof MongoError && cause.hasErrorLabel("TransientTransactionError") ? cause : error;
}
