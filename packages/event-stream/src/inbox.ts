import {
  type ClientSession,
  createIndexes,
  type DocumentStore,
  isDuplicateKey,
  translated,
  withTransaction,
} from "@aiplatform/document-store";
import { redeliverableMs } from "./stream-limits.ts";

interface InboxDocument {
  _id: string;
  received_at: Date;
}

interface AttemptDocument {
  _id: string;
  attempts: number;
  at: Date;
}

class AlreadyHandled extends Error {
  override name = "AlreadyHandled";
}

// No redelivery outlives its key.
const keyLifetimeSeconds = redeliverableMs / 1000;

// Neighbours wait meanwhile; after that the event steps aside.
const maxConflictMs = 2_000;

/** Of each database: its consumers share the inbox, and begin at once. */
const preparing = new WeakMap<DocumentStore, Promise<void>>();

/** Remembers, in the consumer's own database, which events have had their effect. */
export class Inbox {
  readonly #store: DocumentStore;
  readonly #consumer: string;

  constructor(store: DocumentStore, consumer: string) {
    this.#store = store;
    this.#consumer = consumer;
  }

  prepare(): Promise<void> {
    const store = this.#store;
    const begun = preparing.get(store) ?? this.#createIndexes();
    preparing.set(store, begun);
    begun.catch(() => preparing.delete(store));
    return begun;
  }

  async #createIndexes(): Promise<void> {
    await createIndexes(this.#store, [
      {
        collection: "inbox",
        owner: "installation",
        indexes: [{ key: { received_at: 1 }, expireAfterSeconds: keyLifetimeSeconds }],
      },
      {
        collection: "inbox_attempts",
        owner: "installation",
        indexes: [{ key: { at: 1 }, expireAfterSeconds: keyLifetimeSeconds }],
      },
    ]);
  }

  /** Runs `effect` in one transaction with the event's key, once per event for ever. Answers whether it ran now. */
  async once(eventId: string, effect: (session: ClientSession) => Promise<void>): Promise<boolean> {
    const inbox = this.#store.database.collection<InboxDocument>("inbox");
    const document = { _id: this.#key(eventId), received_at: new Date() };
    if (await this.#has(document._id)) return false;
    try {
      await withTransaction(
        this.#store,
        async (session) => {
          await effect(session);
          // Last: a process that dies in the handler then leaves no open transaction that holds the key for a minute.
          await inbox.insertOne(document, { session }).catch((error: unknown) => {
            throw isDuplicateKey(error) ? new AlreadyHandled() : error;
          });
        },
        { maxMs: maxConflictMs },
      );
      return true;
    } catch (error) {
      if (error instanceof AlreadyHandled) return false;
      // A twin committed between our look and our write: the handler then may have met the twin's documents.
      if (isDuplicateKey(error) && (await this.#has(document._id))) return false;
      throw error;
    }
  }

  /** Takes an attempt back that failed through no fault of the event. */
  async uncountAttempt(eventId: string): Promise<void> {
    const attempts = this.#store.database.collection<AttemptDocument>("inbox_attempts");
    await translated(() => attempts.updateOne({ _id: this.#key(eventId) }, { $inc: { attempts: -1 } }));
  }

  /**
   * Counts an attempt before it starts. NATS's own count is not enough: it also counts messages that were fetched and never
   * begun when the process died over another one.
   */
  async countAttempt(eventId: string): Promise<number> {
    const attempts = this.#store.database.collection<AttemptDocument>("inbox_attempts");
    const update = { $inc: { attempts: 1 }, $set: { at: new Date() } };
    const options = { upsert: true, returnDocument: "after" as const };
    const document = await translated(() => attempts.findOneAndUpdate({ _id: this.#key(eventId) }, update, options));
    return document?.attempts ?? 1;
  }

  async #has(key: string): Promise<boolean> {
    const inbox = this.#store.database.collection<InboxDocument>("inbox");
    return (await translated(() => inbox.findOne({ _id: key }))) !== null;
  }

  #key(eventId: string): string {
    return `${this.#consumer}:${eventId}`;
  }
}
