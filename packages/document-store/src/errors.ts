import { MongoServerError } from "mongodb";
import { driverFailure } from "./driver-failures.ts";
import { declaredName } from "./index-name.ts";

/** The database cannot be reached, or has no primary just now. Nothing is wrong with the request: it may be repeated. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
}

/** The call was not made, because the database does not answer just now. */
export class StoreRefusedError extends StoreUnavailableError {
  override name = "StoreRefusedError";
  constructor() {
    super("the database is not available");
  }
}

/** The call took too long; a write may be stored all the same, now or a moment later. */
export class StoreTimeoutError extends StoreUnavailableError {
  override name = "StoreTimeoutError";
  constructor(limitMs: number) {
    super(`the database did not answer within ${limitMs} ms`);
  }
}

/** The database that was configured cannot carry this platform; waiting does not help. */
export class UnsuitableStoreError extends Error {
  override name = "UnsuitableStoreError";
}

/**
 * Another transaction holds the same documents. Repeating is safe and may take up to a minute to succeed: that long the server
 * keeps the transaction of a process that was killed.
 */
export class TransactionConflictError extends Error {
  override name = "TransactionConflictError";
}

/** A unique index already holds this value. */
export class DuplicateKeyError extends Error {
  override name = "DuplicateKeyError";
  /** Name of the index, such as `job_1_position_1`; empty when the server did not say. */
  readonly index: string;
  /** Fields of the index; empty when the server did not say. */
  readonly keyPattern: Readonly<Record<string, unknown>>;
  /** How many leading documents of the same submission are stored all the same (group writer only). */
  readonly durableDocuments: number;

  constructor(o: { index: string; keyPattern?: Record<string, unknown>; durableDocuments?: number; cause?: unknown }) {
    super(`a document with the same key exists already (index ${o.index || "unknown"})`, { cause: o.cause });
    this.index = o.index;
    this.keyPattern = o.keyPattern ?? {};
    this.durableDocuments = o.durableDocuments ?? 0;
  }
}

/** The write was never sent: deciding again and trying again is safe. */
export class WriteUnavailableError extends Error {
  override name = "WriteUnavailableError";
}

/** The write was sent and its answer never came: it may be stored, now or a moment later. Read before deciding again. */
export class WriteOutcomeUnknownError extends Error {
  override name = "WriteOutcomeUnknownError";
}

/** A document or an update names another organisation than the one the call is for. */
export class TenantMismatchError extends Error {
  override name = "TenantMismatchError";
}

const duplicateKeyCode = 11000;
/** Whether the database refused a write because of a unique index, however the refusal arrived. */
export function isDuplicateKey(error: unknown): boolean {
  if (error instanceof DuplicateKeyError) return true;
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}

/** Whether the failure is the database's absence rather than the request's fault. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailableError || error instanceof WriteUnavailableError) return true;
  const failure = driverFailure(error);
  return failure === "unavailable" || failure === "conflict";
}

/** Declared name of the violated index, from the server's text: in a batch the driver keeps nothing else. */
export function indexNameIn(message: string): string {
  return declaredName(/ index: (\S+) dup key/.exec(message)?.[1] ?? "");
}

/** An error of the driver or of its socket as ours, with the original as its cause; anything else unchanged. */
export function asStoreError(error: unknown): unknown {
  if (driverFailure(error) === undefined) return error;
  if (isDuplicateKey(error)) {
    const keyPattern = error instanceof MongoServerError ? error["keyPattern"] : undefined;
    const message = error instanceof Error ? error.message : "";
    return new DuplicateKeyError({ index: indexNameIn(message), keyPattern, cause: error });
  }
  if (isStoreUnavailable(error)) return new StoreUnavailableError("the database is not available", { cause: error });
  return error;
}

/**
 * Runs an upsert outside a transaction. Two that make the same new document at once both succeed: the server repeats the one that
 * was late only where its filter is the key alone.
 */
export async function upserted<R>(call: () => Promise<R>): Promise<R> {
  try {
    return await translated(call);
  } catch (error) {
    if (isDuplicateKey(error)) return await translated(call);
    throw error;
  }
}

/** Runs one driver call and translates its failure. */
export async function translated<R>(call: () => Promise<R>): Promise<R> {
  try {
    return await call();
  } catch (error) {
    throw asStoreError(error);
  }
}
