import { setTimeout as delay } from "node:timers/promises";
import { type ClientSession, MongoError, type ServerSessionId } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { driverFailure } from "./driver-failures.ts";
import {
  asStoreError,
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnavailableError,
  TransactionConflictError,
} from "./errors.ts";
import { within } from "./within.ts";

// The driver alone would go on for two minutes, long after every caller has given up.
const defaultMaxMs = 10_000;
const commitLimitMs = 3_000;

/**
 * Runs `work` in one transaction and repeats it when the server asks for that (a write conflict, an election), so `work`
 * must have no effect outside of `session`. Keep it short: at most one per request.
 * @throws TransactionConflictError when other transactions conflicted with it for `maxMs` (default 10 000)
 */
export async function withTransaction<R>(
  store: DocumentStore,
  work: (session: ClientSession) => Promise<R>,
  { maxMs = defaultMaxMs }: { maxMs?: number } = {},
): Promise<R> {
  store.breaker.assertClosed();
  const session = store.client.startSession();
  const deadline = performance.now() + maxMs;
  let lastFailure: unknown;
  let stopLimit = () => {};
  const hung = Promise.withResolvers<never>();
  let openOnServer: ServerSessionId | undefined;
  const giveUp = (error: unknown) => {
    openOnServer = session.id;
    hung.reject(error);
  };
  const running = session.withTransaction(async () => {
    stopLimit();
    if (performance.now() > deadline) throw givenUp(lastFailure);
    try {
      const result = await work(session);
      // Only the commit is left, which the driver makes.
      stopLimit = store.breaker.startLimit(() => giveUp(new StoreTimeoutError(commitLimitMs)));
      return result;
    } catch (error) {
      lastFailure = driverErrorBehind(error);
      // Undoing the transaction would wait for the same answer.
      if (error instanceof StoreTimeoutError || error instanceof StoreRefusedError) giveUp(error);
      throw lastFailure;
    }
  });
  const ended = running.finally(() => {
    stopLimit();
    return session.endSession();
  });
  try {
    return await Promise.race([ended, hung.promise]);
  } catch (error) {
    store.breaker.suspect(error);
    // After the time limit its caller has left.
    ended.catch(() => undefined).then(() => openOnServer && endOnServer(store, openOnServer));
    throw asStoreError(error);
  }
}

/** As long as MongoDB itself keeps a transaction that nothing is heard of. */
const maxServerMs = 60_000;
const pauseBetweenKillsMs = 500;
/** The second is for commands that waited in a connection while the first was answered. */
const kills = 2;

/** Ends a transaction whose abort may not have reached a database that hung: its documents would be locked for a minute. */
async function endOnServer({ client, breaker }: DocumentStore, id: ServerSessionId): Promise<void> {
  const deadline = performance.now() + maxServerMs;
  for (let left = kills; left > 0 && performance.now() < deadline; ) {
    await delay(pauseBetweenKillsMs, undefined, { ref: false });
    if (breaker.isOpen) continue;
    const kill = () => client.db("admin").command({ killSessions: [id] });
    await within(kill, { limitMs: commitLimitMs }).then(
      () => left--,
      () => undefined,
    );
  }
}

function givenUp(cause: unknown): Error {
  if (driverFailure(cause) === "conflict") {
    return new TransactionConflictError("a write conflict with another transaction", { cause });
  }
  return new StoreUnavailableError("the transaction was repeated for too long", { cause });
}

/** The driver repeats a transaction only when it sees its own error, which our error classes carry as their cause. */
function driverErrorBehind(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof MongoError && cause.hasErrorLabel("TransientTransactionError") ? cause : error;
}
