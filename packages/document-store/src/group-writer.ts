import { type Context, context } from "@opentelemetry/api";
import type { OptionalUnlessRequiredId } from "mongodb";
import { BSON, type Collection, MongoBulkWriteError, MongoInvalidArgumentError, MongoServerError } from "mongodb";
import { withinBatch } from "./batch-trace.ts";
import {
  DuplicateKeyError,
  indexNameIn,
  isDuplicateKey,
  isStoreUnavailable,
  StoreRefusedError,
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "./errors.ts";
import { keyPatternsOf } from "./schema/indexes.ts";

export interface GroupWriterOptions<T> {
  /**
   * Told synchronously, before any submitter learns, which documents are not known to be stored after a batch failed. Forget
   * here whatever was decided from the assumption that they would be.
   */
  onFailedBatch?: (unsent: T[]) => void;
  /**
   * Documents that build on each other share a chain (a job). A failure refuses the rest of its chain, sent or waiting, and
   * nothing else. Default: all documents are one chain.
   */
  chainOf?: (document: T) => string;
  /** Documents in one write. Default 1 000. */
  maxBatch?: number;
  /** Documents waiting; more are refused at once with {@link WriteUnavailableError}. Default 10 000. */
  maxWaiting?: number;
}

interface Submission<T> {
  documents: readonly T[];
  chain: string;
  /** In whose trace, and for whom, it was submitted. */
  cause: Context;
  resolve: () => void;
  reject: (error: Error) => void;
}

type Refusals<T> = Map<Submission<T>, Error>;

/** Ordered writes stop at a refused document: what came before it is stored, what comes after it was not tried. */
interface Refusal {
  index: number;
  error: Error;
}

/**
 * Group commit: what arrives while a write is under way forms the next batch, and one ordered write is in flight at a
 * time. Each submission is settled by its own fate:
 *
 * - resolved: on disk on a majority;
 * - `DuplicateKeyError`: refused by a unique index. A submission of several documents is **not** atomic: the error says how
 *   many of its first documents are stored. Submit one document where all-or-nothing matters;
 * - `WriteUnavailableError`: never sent, because something it builds on failed, or the queue is full, or the writer closed;
 * - `WriteOutcomeUnknownError`: sent, and the answer was lost.
 */
export class GroupWriter<T extends { _id: string }> {
  readonly #collection: Collection<T>;
  readonly #options: Required<GroupWriterOptions<T>>;
  #waiting: Submission<T>[] = [];
  #waitingDocuments = 0;
  #running: Promise<void> | undefined;
  #closed = false;
  #generation = 0;
  #keyPatterns = new Map<string, Record<string, unknown>>();

  constructor(collection: Collection<T>, options: GroupWriterOptions<T> = {}) {
    this.#collection = collection;
    this.#options = { onFailedBatch: () => {}, chainOf: () => "", maxBatch: 1_000, maxWaiting: 10_000, ...options };
  }

  /** Grows with every failed batch. Read it together with a cached head that is used after an `await`. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Resolves when these documents (of one chain, in this order) are durable.
   * With `generation`, refuses when a batch has failed since that was read: the decision behind the documents is stale.
   */
  submit(documents: readonly T[], generation = this.#generation): Promise<void> {
    const [first] = documents;
    if (first === undefined) return Promise.resolve();
    const obstacle = this.#obstacle(documents.length, generation);
    if (obstacle) return Promise.reject(new WriteUnavailableError(obstacle));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ documents, chain: this.#options.chainOf(first), cause: context.active(), resolve, reject });
    this.#waitingDocuments += documents.length;
    this.#running ??= this.#run();
    return promise;
  }

  /** Refuses new submissions and resolves when those accepted are settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #obstacle(count: number, generation: number): string | undefined {
    if (this.#closed) return "the writer is closed";
    if (generation !== this.#generation) return "an earlier write failed since this was decided";
    if (this.#waitingDocuments + count > this.#options.maxWaiting) return "too many writes are waiting";
    return undefined;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      const documents = batch.flatMap((submission) => submission.documents);
      try {
        const causes = batch.map(({ cause }) => cause);
        await withinBatch(causes, () => this.#insert(documents as OptionalUnlessRequiredId<T>[]));
      } catch (error) {
        await this.#settleFailed(batch, documents, error);
        continue;
      }
      for (const submission of batch) submission.resolve();
    }
    this.#running = undefined;
  }

  /** A single document uses `insertOne`: no other document would share the cost of a bulk write. */
  async #insert(documents: OptionalUnlessRequiredId<T>[]): Promise<void> {
    const [only] = documents;
    if (only !== undefined && documents.length === 1) await this.#collection.insertOne(only);
    else await this.#collection.insertMany(documents, { ordered: true });
  }

  #takeBatch(): Submission<T>[] {
    let documents = 0;
    let count = 0;
    for (const submission of this.#waiting) {
      if (count > 0 && documents + submission.documents.length > this.#options.maxBatch) break;
      documents += submission.documents.length;
      count += 1;
    }
    this.#waitingDocuments -= documents;
    return this.#waiting.splice(0, count);
  }

  async #settleFailed(batch: Submission<T>[], documents: T[], error: unknown): Promise<void> {
    const refusal = refusalIn(error, documents);
    if (error instanceof StoreRefusedError) this.#settleUnsent(batch, error);
    else if (refusal) await this.#settleRefused(batch, await this.#described(refusal));
    else this.#settleUnknown(batch, error);
  }

  /** The outcome of the batch is unknown; writes that wait behind it may depend on it. */
  #settleUnknown(batch: Submission<T>[], cause: unknown): void {
    const refusals: Refusals<T> = new Map();
    const unknown = () =>
      new WriteOutcomeUnknownError("the database did not say whether the write is stored", { cause });
    for (const submission of batch) refusals.set(submission, unknown());
    for (const submission of this.#waiting) refusals.set(submission, unsent(cause));
    this.#waiting = [];
    this.#refuse(refusals);
  }

  /** The breaker let nothing through: nothing of the batch is stored, and nothing will be. */
  #settleUnsent(batch: Submission<T>[], cause: unknown): void {
    const refused = [...batch, ...this.#waiting];
    this.#waiting = [];
    this.#refuse(new Map(refused.map((submission) => [submission, unsent(cause)])));
  }

  async #settleRefused(batch: Submission<T>[], { index, error }: Refusal): Promise<void> {
    const refusals: Refusals<T> = new Map();
    const stored: Submission<T>[] = [];
    const untried: Submission<T>[] = [];
    let chain: string | undefined;
    let end = 0;
    for (const submission of batch) {
      const start = end;
      end += submission.documents.length;
      if (end <= index) stored.push(submission);
      else if (start <= index) {
        chain = submission.chain;
        refusals.set(submission, withDurable(error, index - start));
      } else untried.push(submission);
    }
    const isBroken = (submission: Submission<T>) => submission.chain === chain;
    const pending = [...untried, ...this.#waiting];
    for (const submission of pending.filter(isBroken)) refusals.set(submission, unsent(error));
    this.#waiting = pending.filter((submission) => !isBroken(submission));
    this.#refuse(refusals);
    for (const submission of stored) submission.resolve();
  }

  #refuse(refusals: Refusals<T>): void {
    this.#generation += 1;
    this.#waitingDocuments = this.#waiting.reduce((sum, { documents }) => sum + documents.length, 0);
    this.#reportFailed([...refusals.keys()].flatMap(({ documents }) => documents));
    for (const [submission, error] of refusals) submission.reject(error);
  }

  #reportFailed(documents: T[]): void {
    try {
      this.#options.onFailedBatch(documents);
    } catch (error) {
      // A process that could not forget them must not go on deciding; the submitters are answered all the same.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  async #described(refusal: Refusal): Promise<Refusal> {
    const { error } = refusal;
    if (!(error instanceof DuplicateKeyError)) return refusal;
    if (!this.#keyPatterns.has(error.index)) {
      // Without the pattern the index's name still tells; a second failure here must not hide the first.
      this.#keyPatterns = await keyPatternsOf(this.#collection).catch(() => this.#keyPatterns);
    }
    const keyPattern = this.#keyPatterns.get(error.index) ?? {};
    return { ...refusal, error: new DuplicateKeyError({ index: error.index, keyPattern, cause: error.cause }) };
  }
}

function refusalIn(error: unknown, documents: readonly object[]): Refusal | undefined {
  // An interruption, such as an election, can arrive as a refused document. What came before it may be rolled back.
  if (isStoreUnavailable(error) && !isDuplicateKey(error)) return undefined;
  if (error instanceof MongoBulkWriteError) {
    const [refused] = [error.writeErrors].flat();
    // A write concern that was not met makes the documents before the refused one uncertain as well.
    if (!refused || error.result.getWriteConcernError()) return undefined;
    return refusalAt(refused.index, refused.errmsg ?? "", error);
  }
  // Of a document sent alone: what is about it, and not about the whole command, has an index.
  if (error instanceof MongoServerError && error["index"] === 0) return refusalAt(0, error.message, error);
  return unsendableIn(error, documents);
}

function refusalAt(index: number, message: string, cause: Error): Refusal {
  if (isDuplicateKey(cause)) return { index, error: new DuplicateKeyError({ index: indexNameIn(message), cause }) };
  return { index, error: new Error(`the database refused a document: ${message}`, { cause }) };
}

const maxDocumentBytes = 16 * 1024 * 1024;

/** A document the driver itself will not send fails the whole batch before anything left this process: nothing is stored. */
function unsendableIn(error: unknown, documents: readonly object[]): Refusal | undefined {
  if (!(error instanceof MongoInvalidArgumentError || error instanceof BSON.BSONError)) return undefined;
  const index = documents.findIndex((document) => !isSendable(document));
  return index === -1 ? undefined : { index, error: new Error("the document cannot be stored", { cause: error }) };
}

function isSendable(document: object): boolean {
  try {
    return BSON.calculateObjectSize(document, { ignoreUndefined: true }) <= maxDocumentBytes;
  } catch {
    return false;
  }
}

function withDurable(error: Error, durableDocuments: number): Error {
  if (!(error instanceof DuplicateKeyError) || durableDocuments === 0) return error;
  const { index, keyPattern, cause } = error;
  return new DuplicateKeyError({ index, keyPattern, durableDocuments, cause });
}

function unsent(cause: unknown): WriteUnavailableError {
  return new WriteUnavailableError("not written, because a write before it failed", { cause });
}
