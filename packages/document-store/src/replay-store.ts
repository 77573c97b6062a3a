import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Binary, type ClientSession } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { isDuplicateKey, StoreRefusedError, StoreUnavailableError } from "./errors.ts";
import type { IndexPlan } from "./indexes.ts";
import { TenantCollection, type TenantDocument } from "./tenant-collection.ts";
import { withTransaction } from "./transaction.ts";

/** A request that may be sent again. */
export interface ReplayableRequest {
  readonly organisationId: string;
  /** What is asked for, such as an RPC's full name; keys of different operations never meet. */
  readonly operation: string;
  /** Chosen by the client; empty: the request is served each time. */
  readonly key: string;
  /** The request without its key. */
  readonly request: Uint8Array;
}

/** An answer, and whether it is one that was given before. */
export interface ReplayableAnswer {
  readonly answer: Uint8Array;
  readonly replayed: boolean;
}

/** The key belongs to another request. */
export class IdempotencyKeyReusedError extends Error {
  override name = "IdempotencyKeyReusedError";
  /** The request field that held the key. */
  readonly field = "idempotency_key";
  constructor() {
    super("this idempotency key was already used for a different request");
  }
}

/** The same request is being served just now; repeating this one a little later answers what that one is answered. */
export class RequestInFlightError extends Error {
  override name = "RequestInFlightError";
  readonly retryable = true;
  constructor() {
    super("a request with this idempotency key is being served");
  }
}

interface ReplayDocument extends TenantDocument {
  operation: string;
  key: string;
  fingerprint: string;
  /** Whose claim this is: another one after each take-over. */
  claim: string;
  claimed_at: Date;
  /** Null while the request is being served. */
  answer: Binary | null;
}

const collection = "replays";
/** How long a key is remembered, ms. */
const keptMs = 24 * 60 * 60 * 1000;
/** After how long a claim without an answer is a dead process's, ms; longer than a transaction may take. */
const deadAfterMs = 30_000;
/** How long a failing request is held up by giving its key back, ms. Later, the claim's age does. */
const longestFreeingMs = 2_000;
/** Between two tries to give back the claims of requests that failed in an outage, ms. */
const freeingPauseMs = 250;
/** Such claims that are remembered at most; the others go by their age. */
const maxUnfreed = 10_000;
/** A claim that is released again and again while we ask belongs to a twin that fails again and again. */
const claimAttempts = 5;

/**
 * Answers of requests that carried an idempotency key: the effect happens once, and for 24 hours its repeats get the
 * first answer. The answer is kept as it is, so nothing secret may be in it.
 */
export class ReplayStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "key", key: { organisation_id: 1, operation: 1, key: 1 }, unique: true },
      { name: "expiry", key: { claimed_at: 1 }, expireAfterSeconds: keptMs / 1000 },
    ],
  };

  readonly #store: DocumentStore;
  readonly #replays: TenantCollection<ReplayDocument>;
  readonly #clock: () => Date;
  /** Claims of requests that failed because the database was away. */
  readonly #unfreed = new Set<ReplayDocument>();
  #isFreeing = false;

  constructor(store: DocumentStore, { clock }: { clock: () => Date }) {
    this.#store = store;
    this.#replays = new TenantCollection(store, collection);
    this.#clock = clock;
  }

  /**
   * Runs `work` in one transaction, which keeps its answer as well; `work` may run again when the database asks for that,
   * so it must have no effect outside of the session. Whatever it throws is thrown on and frees the key.
   * Rejects with {@link IdempotencyKeyReusedError}, and with {@link RequestInFlightError} while a twin is served.
   */
  async run(
    request: ReplayableRequest,
    work: (session: ClientSession) => Promise<Uint8Array>,
  ): Promise<ReplayableAnswer> {
    if (request.key === "") return { answer: await withTransaction(this.#store, work), replayed: false };
    const claimed = await this.#claim(request);
    if (claimed.answer !== null) return { answer: claimed.answer.value(), replayed: true };
    try {
      const answer = await withTransaction(this.#store, async (session) => {
        const made = await work(session);
        await this.#keep(claimed, made, session);
        return made;
      });
      return { answer, replayed: false };
    } catch (error) {
      await this.#giveUp(claimed, error);
      throw error;
    }
  }

  /** A claim of our own, or what an earlier request was answered. */
  async #claim({ organisationId, operation, key, request }: ReplayableRequest): Promise<ReplayDocument> {
    const fingerprint = fingerprintOf(operation, request);
    for (let attempt = 0; attempt < claimAttempts; attempt++) {
      const own = { operation, key, fingerprint, claim: randomUUID(), claimed_at: this.#clock(), answer: null };
      const claimed = { _id: randomUUID(), organisation_id: organisationId, ...own };
      if (await this.#insert(claimed)) return claimed;
      const found = await this.#replays.findOne(organisationId, { operation, key });
      if (found === undefined) continue;
      const ageMs = claimed.claimed_at.getTime() - found.claimed_at.getTime();
      if (ageMs < keptMs) {
        if (found.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
        if (found.answer !== null) return found;
        if (ageMs < deadAfterMs) throw new RequestInFlightError();
      }
      if (await this.#takeOver(found, { ...claimed, _id: found._id })) return { ...claimed, _id: found._id };
    }
    throw new RequestInFlightError();
  }

  /** Answers whether this call was the first. */
  async #takeOver({ claim, answer }: ReplayDocument, replacement: ReplayDocument): Promise<boolean> {
    try {
      return await this.#replays.replaceIf(replacement.organisation_id, replacement, { claim, answer });
    } catch (error) {
      await this.#giveUpUnlessUnsent(replacement, error);
      throw error;
    }
  }

  /** Answers whether the key was free. */
  async #insert(claimed: ReplayDocument): Promise<boolean> {
    try {
      await this.#replays.insert(claimed.organisation_id, claimed);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      await this.#giveUpUnlessUnsent(claimed, error);
      throw error;
    }
  }

  /** Together with the effect. Where the claim was taken over meanwhile, the effect is another's to have. */
  async #keep(claimed: ReplayDocument, answer: Uint8Array, session: ClientSession): Promise<void> {
    const { _id, claim, organisation_id } = claimed;
    const isOurs = await this.#replays.updateOne(
      organisation_id,
      { _id, claim },
      { $set: { answer: new Binary(answer) } },
      { session },
    );
    if (!isOurs) throw new RequestInFlightError();
  }

  /** Frees the key of a request that failed. In an outage that is done when the database is back: its caller does not wait. */
  async #giveUp(claimed: ReplayDocument, failure: unknown): Promise<void> {
    const isAway = failure instanceof StoreUnavailableError;
    if (!isAway && (await this.#free(claimed))) return;
    if (this.#unfreed.size < maxUnfreed) this.#unfreed.add(claimed);
    if (!this.#isFreeing) void this.#freeLater();
  }

  /** A claim whose write failed may be stored all the same, unless the breaker has refused it. */
  async #giveUpUnlessUnsent(claimed: ReplayDocument, failure: unknown): Promise<void> {
    if (!(failure instanceof StoreRefusedError)) await this.#giveUp(claimed, failure);
  }

  async #freeLater(): Promise<void> {
    this.#isFreeing = true;
    while (this.#unfreed.size > 0) {
      await delay(freeingPauseMs, undefined, { ref: false });
      if (!this.#store.breaker.isOpen) await this.#freeAll();
    }
    this.#isFreeing = false;
  }

  /** Stops at the first that cannot be freed. An old one is taken over when the request is repeated. */
  async #freeAll(): Promise<void> {
    for (const claimed of this.#unfreed) {
      const isOld = this.#clock().getTime() - claimed.claimed_at.getTime() > deadAfterMs;
      if (!isOld && !(await this.#free(claimed))) return;
      this.#unfreed.delete(claimed);
    }
  }

  /**
   * Answers whether the database has heard. The claim stays where the effect is there after all, because the answer of a commit
   * can get lost; a transaction that is still open finds its claim gone, and is undone.
   */
  async #free({ _id, claim, organisation_id }: ReplayDocument): Promise<boolean> {
    try {
      const options = { timeoutMs: longestFreeingMs };
      await this.#replays.deleteOne(organisation_id, { _id, claim, answer: null }, options);
      return true;
    } catch {
      return false;
    }
  }
}

/** Lengths first, so that no text of one can pass for the beginning of the other. */
function fingerprintOf(operation: string, request: Uint8Array): string {
  const name = Buffer.from(operation);
  return createHash("sha256").update(`${name.length} `).update(name).update(request).digest("base64url");
}
