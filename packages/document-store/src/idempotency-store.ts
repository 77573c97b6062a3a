import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Binary, type ClientSession } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { isDuplicateKey, StoreRefusedError, StoreUnavailableError } from "./errors.ts";
import type { IndexPlan } from "./schema/index-plan.ts";
import { TenantCollection, type TenantDocument } from "./tenant-collection.ts";
import { withTransaction } from "./transaction.ts";

/** A request that may be sent again. */
export interface IdempotentRequest {
  readonly organisationId: string;
  /** What is asked for, such as an RPC's full name; keys of different operations never meet. */
  readonly operation: string;
  /** Chosen by the client; empty: the request is served each time. */
  readonly key: string;
  /** The request without its key. */
  readonly request: Uint8Array;
  /** Of the credential that asks. Another one is not given the answer. */
  readonly credentialId: string;
}

/** Makes the answer, in a transaction. */
export type IdempotentWork = (session: ClientSession) => Promise<Uint8Array>;

/** An answer, and whether it is one that was given before. */
export interface IdempotentAnswer {
  readonly answer: Uint8Array;
  readonly isRepeated: boolean;
}

/** The key belongs to another request, or to another credential. */
export class IdempotencyKeyReusedError extends Error {
  override name = "IdempotencyKeyReusedError";
  /** The request field that held the key. */
  readonly field = "idempotency_key";
  constructor(by: "for a different request" | "by another credential") {
    super(`this idempotency key was already used ${by}`);
  }
}

/** The same request is being served just now; repeating this one a little later answers what that one is answered. */
export class RequestInFlightError extends Error {
  override name = "RequestInFlightError";
  constructor() {
    super("a request with this idempotency key is being served");
  }
}

interface IdempotencyDocument extends TenantDocument {
  operation: string;
  key: string;
  fingerprint: string;
  /** Absent in documents of earlier versions. */
  credential_id?: string;
  /** Whose claim this is: another one after each take-over. */
  claim: string;
  claimed_at: Date;
  /** Null while the request is being served. */
  answer: Binary | null;
}

const collection = "replays";
/** How long a key is remembered, ms. */
const retentionMs = 24 * 60 * 60 * 1000;
/** After how long a claim without an answer is a dead process's, ms; longer than a transaction may take. */
const deadAfterMs = 30_000;
/** How long a failing request waits until its key is released, ms. After that the claim's age releases it. */
const maxReleaseMs = 2_000;
/** Pause between two attempts to release the claims of requests that failed in an outage, ms. */
const releasePauseMs = 250;
/** Most claims of that kind that are remembered; the others are released by their age. */
const maxUnreleased = 10_000;
/** A claim that is released again and again while we ask belongs to a twin that fails again and again. */
const claimAttempts = 5;

/**
 * Answers of requests that carried an idempotency key: the effect happens once, and for 24 hours its repeats get the
 * first answer. The answer is kept as it is, so nothing secret may be in it.
 */
export class IdempotencyStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "key", key: { organisation_id: 1, operation: 1, key: 1 }, unique: true },
      { name: "expiry", key: { claimed_at: 1 }, expireAfterSeconds: retentionMs / 1000 },
    ],
  };

  readonly #store: DocumentStore;
  readonly #answers: TenantCollection<IdempotencyDocument>;
  readonly #clock: () => Date;
  /** Claims of requests that failed because the database was away. */
  readonly #unreleased = new Set<IdempotencyDocument>();
  #isReleasing = false;

  constructor(store: DocumentStore, { clock }: { clock: () => Date }) {
    this.#store = store;
    this.#answers = new TenantCollection(store, collection);
    this.#clock = clock;
  }

  /**
   * Runs `work` in one transaction, which keeps its answer as well; `work` may run again when the database asks for that,
   * so it must have no effect outside of the session. What it throws is thrown on and releases the key.
   * @throws IdempotencyKeyReusedError; RequestInFlightError while a twin is served
   */
  run(request: IdempotentRequest, work: IdempotentWork): Promise<IdempotentAnswer> {
    return this.runPrepared(request, async () => work);
  }

  /**
   * As `run`, with work that is prepared before its transaction begins, such as by questions to other services. A repeat gets the
   * first answer and prepares nothing. What `prepare` throws is thrown on and releases the key.
   */
  async runPrepared(request: IdempotentRequest, prepare: () => Promise<IdempotentWork>): Promise<IdempotentAnswer> {
    if (request.key === "") return { answer: await withTransaction(this.#store, await prepare()), isRepeated: false };
    const claimed = await this.#claim(request);
    if (claimed.answer !== null) return { answer: claimed.answer.value(), isRepeated: true };
    try {
      const work = await prepare();
      const answer = await withTransaction(this.#store, async (session) => {
        const made = await work(session);
        await this.#keep(claimed, made, session);
        return made;
      });
      return { answer, isRepeated: false };
    } catch (error) {
      await this.#releaseAfterFailure(claimed, error);
      throw error;
    }
  }

  /** A claim of our own, or what an earlier request was answered. */
  async #claim({
    organisationId,
    operation,
    key,
    request,
    credentialId,
  }: IdempotentRequest): Promise<IdempotencyDocument> {
    const fingerprint = fingerprintOf(operation, request);
    for (let attempt = 0; attempt < claimAttempts; attempt++) {
      const own = { operation, key, fingerprint, credential_id: credentialId, claimed_at: this.#clock(), answer: null };
      const claimed = { _id: randomUUID(), organisation_id: organisationId, claim: randomUUID(), ...own };
      if (await this.#insert(claimed)) return claimed;
      const found = await this.#answers.findOne(organisationId, { operation, key });
      if (found === undefined) continue;
      const ageMs = claimed.claimed_at.getTime() - found.claimed_at.getTime();
      if (ageMs < retentionMs) {
        if ((found.credential_id ?? credentialId) !== credentialId)
          throw new IdempotencyKeyReusedError("by another credential");
        if (found.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError("for a different request");
        if (found.answer !== null) return found;
        if (ageMs < deadAfterMs) throw new RequestInFlightError();
      }
      if (await this.#takeOver(found, { ...claimed, _id: found._id })) return { ...claimed, _id: found._id };
    }
    throw new RequestInFlightError();
  }

  /** Answers whether this call was the first. */
  async #takeOver({ claim, answer }: IdempotencyDocument, replacement: IdempotencyDocument): Promise<boolean> {
    try {
      return await this.#answers.replaceIf(replacement.organisation_id, replacement, { claim, answer });
    } catch (error) {
      await this.#releaseUnlessUnsent(replacement, error);
      throw error;
    }
  }

  /** Answers whether nothing held the key. */
  async #insert(claimed: IdempotencyDocument): Promise<boolean> {
    try {
      await this.#answers.insert(claimed.organisation_id, claimed);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      await this.#releaseUnlessUnsent(claimed, error);
      throw error;
    }
  }

  /** Together with the effect. Where the claim was taken over meanwhile, the effect is another's to have. */
  async #keep(claimed: IdempotencyDocument, answer: Uint8Array, session: ClientSession): Promise<void> {
    const { _id, claim, organisation_id } = claimed;
    const isOurs = await this.#answers.updateOne(
      organisation_id,
      { _id, claim },
      { $set: { answer: new Binary(answer) } },
      { session },
    );
    if (!isOurs) throw new RequestInFlightError();
  }

  /** Releases the key of a request that failed. In an outage that is done when the database is back: its caller does not wait. */
  async #releaseAfterFailure(claimed: IdempotencyDocument, failure: unknown): Promise<void> {
    const isAway = failure instanceof StoreUnavailableError;
    if (!isAway && (await this.#release(claimed))) return;
    if (this.#unreleased.size < maxUnreleased) this.#unreleased.add(claimed);
    if (!this.#isReleasing) void this.#releaseLater();
  }

  /** A claim whose write failed may be stored all the same, unless the breaker has refused it. */
  async #releaseUnlessUnsent(claimed: IdempotencyDocument, failure: unknown): Promise<void> {
    if (!(failure instanceof StoreRefusedError)) await this.#releaseAfterFailure(claimed, failure);
  }

  async #releaseLater(): Promise<void> {
    this.#isReleasing = true;
    while (this.#unreleased.size > 0) {
      await delay(releasePauseMs, undefined, { ref: false });
      if (!this.#store.breaker.isOpen) await this.#releaseAll();
    }
    this.#isReleasing = false;
  }

  /** Stops at the first that cannot be released. An old one is taken over when the request is repeated. */
  async #releaseAll(): Promise<void> {
    for (const claimed of this.#unreleased) {
      const isOld = this.#clock().getTime() - claimed.claimed_at.getTime() > deadAfterMs;
      if (!isOld && !(await this.#release(claimed))) return;
      this.#unreleased.delete(claimed);
    }
  }

  /**
   * Answers whether the database has heard. The claim stays where the effect is there after all, because the answer of a commit
   * can get lost; a transaction that is still open finds its claim gone, and is undone.
   */
  async #release({ _id, claim, organisation_id }: IdempotencyDocument): Promise<boolean> {
    try {
      const options = { timeoutMs: maxReleaseMs };
      await this.#answers.deleteOne(organisation_id, { _id, claim, answer: null }, options);
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
