import { Binary, type ClientSession, type Collection, type Db, Timestamp } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { translated } from "./errors.ts";
import { ReplicaLeases } from "./replica-leases.ts";
import type { IndexPlan } from "./schema/index-plan.ts";
import { type PublishedBetween, StreamMarks } from "./stream-marks.ts";

/** Who caused an event, and by which request; what is not known is absent. */
export interface EventCause {
  readonly memberId?: string;
  /** The credential behind the call: an API key's id, `issuer subject` of a token, `operator`. */
  readonly credentialId?: string;
  readonly requestId?: string;
  /** Who chose the request id: `platform` or `caller`. */
  readonly requestIdSource?: string;
}

/** An event on its way out. */
export interface OutboxRecord {
  /** UUID v7; consumers recognise repeats by it. */
  id: string;
  /** Subject stem, such as `aiplatform.training.job.completed.v1`. */
  type: string;
  organisationId: string;
  /** What the event is about; the order of events is kept for one entity. */
  entityId: string;
  /** The message in protobuf's binary form. */
  data: Uint8Array;
  /** Full name of the message. */
  dataSchema: string;
  time: Date;
  /** W3C trace context of the request that caused the event. */
  traceparent?: string;
  /** Absent where no request caused the event, such as when a deadline passed. */
  cause?: EventCause;
  /** How often it was published and then lost: the stream must not take the next publication for a repeat. */
  losses?: number;
  /** Whether it stays when its organisation is deleted, because it tells of that. Default false. */
  tellsOfDeletion?: true;
}

/** A stored document, by its primary key, and the events that it stands for. */
export interface StagedEvents {
  readonly key: string;
  readonly records: readonly OutboxRecord[];
}

/** What a look for unpublished events is for. */
export interface OutboxLook {
  /** Whether this replica publishes a partition of the outbox. */
  readonly isOwn: (partition: string) => boolean;
  /** What is published and not marked yet, by primary key. It grows while the look goes on. */
  readonly published: ReadonlySet<string>;
  /** Documents in one batch. */
  readonly limit: number;
}

/** Hears what this process has staged. */
export interface StagingListener {
  /** Whether this replica publishes the partition. */
  isOwn(partition: string): boolean;
  staged(partition: string): void;
}

interface OutboxDocument {
  _id: string;
  type: string;
  organisation_id: string;
  entity_id: string;
  data: Binary;
  data_schema: string;
  time: Date;
  traceparent?: string;
  cause?: EventCause;
  /** Set by the server on insert, so that the order does not depend on any service's clock. */
  staged_at: Timestamp;
  published: boolean;
  published_at?: Date;
  losses?: number;
  tells_of_deletion?: true;
}

const collectionName = "outbox";
// As long as the stream itself keeps events: what it loses within that time can be published again.
const retentionSeconds = 7 * 24 * 3600;
/** Its order is one for all records, so one replica publishes them. */
const onlyPartition = "";
const listenersOf = new WeakMap<Db, Set<StagingListener>>();

/**
 * Events stored together with the change they tell of, waiting to be published. Published ones stay for a week, so that they
 * can be published again to a stream that lost its disk.
 */
export class Outbox {
  /** To be given to `createIndexes` by every service that stages events. */
  static readonly indexes: IndexPlan = {
    collection: collectionName,
    owner: "organisation",
    keptAfterDeletion: "tells_of_deletion",
    indexes: [
      { name: "unpublished", key: { staged_at: 1, _id: 1 }, partialFilterExpression: { published: false } },
      {
        name: "retention_of_published",
        key: { published_at: 1 },
        partialFilterExpression: { published: true },
        expireAfterSeconds: retentionSeconds,
      },
    ],
    retired: ["retention"],
  };

  /** What is known of the stream that the records are published to. */
  readonly marks: StreamMarks;
  /** The replicas that publish the records. */
  readonly replicas: ReplicaLeases;
  readonly #database: Db;
  readonly #records: Collection<OutboxDocument>;
  readonly #cause: () => EventCause | undefined;

  /** `cause` tells what caused whatever is staged now; what a record says of its cause itself comes first. Default: nothing. */
  constructor(
    store: Pick<DocumentStore, "database">,
    { cause = () => undefined }: { cause?: () => EventCause | undefined } = {},
  ) {
    this.#database = store.database;
    this.marks = new StreamMarks(store.database, "stream");
    this.replicas = new ReplicaLeases(store.database, collectionName);
    this.#cause = cause;
    this.#records = store.database.collection<OutboxDocument>(collectionName);
  }

  /** Stores the records in the session's transaction; without a session, in a write of their own. */
  async stage(session: ClientSession | undefined, ...records: OutboxRecord[]): Promise<void> {
    if (records.length === 0) return;
    const present = this.#cause();
    const documents = records.map((record) => toDocument(record, present));
    await translated(() => this.#records.insertMany(documents, session ? { session } : {}));
    if (session?.inTransaction()) session.once("ended", () => this.#wake());
    else this.#wake();
  }

  /** The oldest unpublished records, in the order in which they were staged; without those of the keys in `except`. */
  async pending(limit: number, except: ReadonlySet<string> = new Set()): Promise<OutboxRecord[]> {
    const filter = { published: false, ...(except.size > 0 ? { _id: { $nin: [...except] } } : {}) };
    const query = this.#records.find(filter, { sort: { staged_at: 1, _id: 1 }, limit });
    const documents = await translated(() => query.toArray());
    return documents.map(toRecord);
  }

  /** Everything unpublished in order, by the batch. The next batch is read once the one before is published. */
  async *unpublished({ isOwn, published, limit }: OutboxLook): AsyncGenerator<StagedEvents[]> {
    for (let more = isOwn(onlyPartition); more; ) {
      const records = await this.pending(limit, published);
      yield records.map((record) => ({ key: record.id, records: [record] }));
      more = records.length === limit;
    }
  }

  /** How much waits, counted up to 10,000, and the oldest of it for how long. */
  async backlog(): Promise<{ pending: number; oldestSeconds: number }> {
    const [pending, oldestMs = 0] = await Promise.all([this.depth(10_000), this.oldestWaitMs()]);
    return { pending, oldestSeconds: oldestMs / 1_000 };
  }

  /** How many records wait, counted up to `limit`: a measure of the relay's lag. */
  depth(limit = 100_000): Promise<number> {
    return translated(() => this.#records.countDocuments({ published: false }, { limit }));
  }

  /** How long the oldest unpublished record waits, ms by the database's clock; undefined where none does. */
  async oldestWaitMs(): Promise<number | undefined> {
    const query = this.#records.find({ published: false }, { sort: { staged_at: 1 }, limit: 1 });
    const age = { $subtract: ["$$NOW", { $toDate: { $multiply: [{ $toLong: { $tsSecond: "$staged_at" } }, 1_000] } }] };
    const [oldest] = await translated(() => query.project<{ age: number | bigint }>({ age }).toArray());
    return oldest && Math.max(0, Number(oldest.age));
  }

  /** To be called once the stream has acknowledged the records. */
  async markPublished(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const update = { $set: { published: true }, $currentDate: { published_at: true as const } };
    await translated(() => this.#records.updateMany({ _id: { $in: ids } }, update));
  }

  /** Makes pending again what was published between these times. Answers how many records that are. */
  async republish({ since, until }: PublishedBetween): Promise<number> {
    const times = { ...(since && { $gte: since }), ...(until && { $lte: until }) };
    const filter = { published: true, ...(since || until ? { published_at: times } : {}) };
    const update = { $set: { published: false }, $unset: { published_at: true as const }, $inc: { losses: 1 } };
    const { modifiedCount } = await translated(() => this.#records.updateMany(filter, update));
    if (modifiedCount > 0) this.#wake();
    return modifiedCount;
  }

  /** Tells whenever this process has staged something. */
  listen(listener: StagingListener): { close(): void } {
    const listeners = listenersOf.get(this.#database) ?? new Set();
    listenersOf.set(this.#database, listeners.add(listener));
    return { close: () => void listeners.delete(listener) };
  }

  #wake(): void {
    for (const listener of listenersOf.get(this.#database) ?? []) listener.staged(onlyPartition);
  }
}

function toDocument(record: OutboxRecord, present: EventCause | undefined): OutboxDocument {
  const cause = { ...present, ...record.cause };
  return {
    _id: record.id,
    type: record.type,
    organisation_id: record.organisationId,
    entity_id: record.entityId,
    data: new Binary(record.data),
    data_schema: record.dataSchema,
    time: record.time,
    ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
    ...(Object.keys(cause).length === 0 ? {} : { cause }),
    ...(record.tellsOfDeletion === undefined ? {} : { tells_of_deletion: record.tellsOfDeletion }),
    staged_at: new Timestamp(0n),
    published: false,
  };
}

function toRecord(document: OutboxDocument): OutboxRecord {
  return {
    id: document._id,
    type: document.type,
    organisationId: document.organisation_id,
    entityId: document.entity_id,
    data: document.data.value(),
    dataSchema: document.data_schema,
    time: document.time,
    ...(document.traceparent === undefined ? {} : { traceparent: document.traceparent }),
    ...(document.cause === undefined ? {} : { cause: document.cause }),
    ...(document.losses === undefined ? {} : { losses: document.losses }),
    ...(document.tells_of_deletion === undefined ? {} : { tellsOfDeletion: document.tells_of_deletion }),
  };
}
