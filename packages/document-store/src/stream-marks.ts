import type { Collection, Db } from "mongodb";
import { isDuplicateKey, translated } from "./errors.ts";

/** What a publisher knows of its stream. The next look has to find the same, or the stream has lost something. */
export interface StreamMark {
  /** Changes when the stream was made again. */
  incarnation: string;
  /** Up to this sequence every consumer was done, and every event was there afterwards. */
  verified: number;
  /** When the stream stored the event of that sequence. */
  verifiedAt: Date;
  /** The newest sequence seen. */
  last: number;
  lastAt: Date;
}

/** Which published events to publish again, by the time of their publication. Without bounds: all that are kept. */
export interface PublishedBetween {
  since?: Date | undefined;
  until?: Date | undefined;
}

type MarkDocument = Partial<StreamMark> & { _id: string; incarnation: string; revision?: number };

/** A mark as it was read: replaced only if it has not changed since. */
export interface StoredMark {
  mark?: StreamMark | undefined;
  revision: number;
}

/** Where a publisher keeps its mark, shared by its replicas. */
export class StreamMarks {
  readonly #states: Collection<MarkDocument>;
  readonly #publisher: string;

  constructor(database: Db, publisher: string) {
    this.#states = database.collection("outbox_state");
    this.#publisher = publisher;
  }

  async read(): Promise<StoredMark> {
    const found = await translated(() => this.#states.findOne({ _id: this.#publisher }));
    if (!found) return { revision: 0 };
    // An earlier version noted the incarnation alone.
    const { incarnation, verified = 0, last = 0, verifiedAt = new Date(0), lastAt = new Date(0), revision = 0 } = found;
    return { mark: { incarnation, verified, verifiedAt, last, lastAt }, revision };
  }

  /** Answers whether the mark was stored; otherwise another replica was first. */
  async replace(mark: StreamMark, revision: number): Promise<boolean> {
    const update = { $set: { ...mark, revision: revision + 1 } };
    if (revision > 0) {
      const filter = { _id: this.#publisher, revision };
      return (await translated(() => this.#states.updateOne(filter, update))).matchedCount === 1;
    }
    const filter = { _id: this.#publisher, revision: { $exists: false } };
    try {
      await translated(() => this.#states.updateOne(filter, update, { upsert: true }));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
