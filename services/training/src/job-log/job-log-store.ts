import {
  type Collection,
  type DocumentStore,
  type EventCause,
  type IndexPlan,
  isDuplicateKey,
  type PublishedBetween,
  ReplicaLeases,
  StreamMarks,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import type { EntryKind, JobEntry, JobFacts, JobKey, JobReference } from "./job-entry.ts";
import { initialJob, type JobSnapshot } from "./job-snapshot.ts";
import { type PendingCommand, PendingCommands } from "./pending-commands.ts";

const entriesCollection = "job_log";
const snapshotsCollection = "job_snapshots";
const positionDigits = 10;
/** Raised when the shape of a snapshot changes: snapshots of another format are not read. */
const snapshotFormat = 4;
const unjournalled = { writeConcern: { w: 1, journal: false } };

/** A stored entry. What is looked up or indexed is at the top; the rest is the entry's facts. */
export interface JobEntryDocument extends TenantDocument {
  /** `<run>:<job>:<position>`, the position padded, so that the log is read in order by its primary key. */
  _id: string;
  run_id: string;
  job_name: string;
  pipeline_id: string;
  position: number;
  kind: EntryKind;
  at: Date;
  decision: string;
  facts: JobFacts;
  /** False while the entry's events await the relay; absent when it has none. */
  published?: boolean;
  published_at?: Date;
  /** How often the stream has lost the entry's events. */
  losses?: number;
  /** Sequences of the commands that the entry records or decides. */
  sequences?: number[];
  command_id?: string;
  idempotency_key?: string;
  /** When a replica has to check the job, because a command or a lease may have expired. */
  due_at?: Date;
  lease_holder?: string;
  /** In entries with which an active state was entered; taken away some time after the job has left those states. */
  active?: true;
  traceparent?: string;
  cause?: EventCause;
}

interface JobSnapshotDocument extends TenantDocument {
  _id: string;
  position: number;
  format: number;
  snapshot: Omit<JobSnapshot, "pending"> & { pending: PendingCommand[] };
}

const entryIndexes: IndexPlan = {
  collection: entriesCollection,
  owner: "organisation",
  indexes: [
    {
      name: "idempotency_key",
      key: { run_id: 1, job_name: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { name: "unpublished", key: { published: 1, _id: 1 }, partialFilterExpression: { published: false } },
    {
      name: "sequences",
      key: { run_id: 1, job_name: 1, sequences: 1 },
      partialFilterExpression: { sequences: { $exists: true } },
    },
    {
      name: "command_id",
      key: { run_id: 1, command_id: 1 },
      partialFilterExpression: { command_id: { $exists: true } },
    },
    { name: "due_at", key: { due_at: 1 }, partialFilterExpression: { due_at: { $exists: true } } },
    {
      name: "lease_holder",
      key: { organisation_id: 1, lease_holder: 1 },
      partialFilterExpression: { lease_holder: { $exists: true } },
    },
    {
      name: "active",
      key: { organisation_id: 1, pipeline_id: 1, _id: 1 },
      partialFilterExpression: { active: true },
    },
  ],
};

/** Key of a job in maps and primary keys. Job names hold no colon. */
export function jobKeyText({ runId, jobName }: Pick<JobKey, "runId" | "jobName">): string {
  return `${runId}:${jobName}`;
}

/** Primary key of the entry at that position. */
export function entryId(job: Pick<JobKey, "runId" | "jobName">, position: number): string {
  return `${jobKeyText(job)}:${String(position).padStart(positionDigits, "0")}`;
}

/** The logs and their snapshots in MongoDB. */
export class JobLogStore {
  /** The primary key alone makes a position unique within its job. */
  static readonly indexes = entryIndexes;
  static readonly snapshotIndexes: IndexPlan = {
    collection: snapshotsCollection,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1 } }],
  };

  readonly #entries: Collection<JobEntryDocument>;
  readonly #log: TenantCollection<JobEntryDocument>;
  readonly #snapshots: Collection<JobSnapshotDocument>;
  /** What is known of the stream that the events of entries are published to. */
  readonly marks: StreamMarks;
  /** The replicas that publish the events of entries. */
  readonly replicas: ReplicaLeases;

  constructor(store: DocumentStore) {
    this.#log = new TenantCollection(store, entriesCollection);
    this.#entries = store.database.collection<JobEntryDocument>(entriesCollection);
    this.marks = new StreamMarks(store.database, entriesCollection);
    this.replicas = new ReplicaLeases(store.database, entriesCollection);
    this.#snapshots = store.database.collection<JobSnapshotDocument>(snapshotsCollection);
  }

  /** The collection that the group writer appends to. */
  get entries(): Collection<JobEntryDocument> {
    return this.#entries;
  }

  /** At most `limit` entries above `position`, in order. */
  after(organisationId: string, job: JobKey, position: number, limit: number): Promise<JobEntryDocument[]> {
    const range = { $gt: entryId(job, position), $lt: `${jobKeyText(job)};` };
    return this.#log.find(organisationId, { _id: range }, { sort: { _id: 1 }, limit });
  }

  /** Entries that record or decide commands of the sequences `from` to `to`, in order. */
  touching(organisationId: string, job: JobKey, from: number, to: number): Promise<JobEntryDocument[]> {
    const sequences = from === to ? from : { $elemMatch: { $gte: from, $lte: to } };
    return this.#log.find(organisationId, { ...ofJob(job), sequences }, { sort: { _id: 1 } });
  }

  /** The entry that recorded the command of that idempotency key. */
  byIdempotencyKey(organisationId: string, job: JobKey, key: string): Promise<JobEntryDocument | undefined> {
    return this.#log.findOne(organisationId, { ...ofJob(job), idempotency_key: key });
  }

  /** The entry that recorded the command of that id. */
  byCommandId(organisationId: string, job: JobKey, commandId: string): Promise<JobEntryDocument | undefined> {
    return this.#log.findOne(organisationId, { ...ofJob(job), command_id: commandId });
  }

  at(organisationId: string, job: JobKey, position: number): Promise<JobEntryDocument | undefined> {
    return this.#log.findOne(organisationId, { _id: entryId(job, position) });
  }

  /** Which of these primary keys exist, whatever the organisation: they come from logs that are being followed. */
  async existing(ids: string[]): Promise<string[]> {
    const query = this.#entries.find({ _id: { $in: ids } }).project<{ _id: string }>({ _id: 1 });
    const found = await translated(() => query.toArray());
    return found.map(({ _id }) => _id);
  }

  /** The newest stored snapshot, or the initial job. */
  async snapshot(organisationId: string, job: JobKey): Promise<JobSnapshot> {
    const filter = { _id: jobKeyText(job), organisation_id: organisationId, format: snapshotFormat };
    const found = await translated(() => this.#snapshots.findOne(filter));
    if (!found) return initialJob;
    const { pending, stateDetail, pauseCheckpointId, scheduledResume, ...rest } = found.snapshot;
    return {
      ...rest,
      stateDetail: stateDetail ?? undefined,
      pauseCheckpointId: pauseCheckpointId ?? undefined,
      scheduledResume: scheduledResume ?? undefined,
      pending: PendingCommands.of(pending),
    };
  }

  /** Stores a snapshot unless a newer one is there. Not journalled: losing it costs time, nothing else. */
  async storeSnapshot(organisationId: string, job: JobKey, snapshot: JobSnapshot): Promise<void> {
    const { position } = snapshot;
    const older = [{ position: { $lt: position } }, { format: { $ne: snapshotFormat } }];
    const filter = { _id: jobKeyText(job), organisation_id: organisationId, $or: older };
    const stored = { ...snapshot, pending: [...snapshot.pending] };
    try {
      const update = { $set: { position, format: snapshotFormat, snapshot: stored } };
      await this.#snapshots.updateOne(filter, update, { upsert: true, ...unjournalled });
    } catch (error) {
      // The filter missed because a newer one is there, so the upsert met its primary key.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Jobs of all organisations that are due, earliest first. */
  async due(now: Date, limit: number): Promise<JobReference[]> {
    const query = this.#entries
      .find({ due_at: { $lte: now } })
      .sort({ due_at: 1 })
      .limit(limit);
    return distinctJobs(await translated(() => query.toArray()));
  }

  /** When the first job of all organisations that is due after a time is due; undefined: none will be. */
  async nextDue(after: Date = new Date(0)): Promise<Date | undefined> {
    const options = { projection: { due_at: 1 }, sort: { due_at: 1 } } as const;
    return (await translated(() => this.#entries.findOne({ due_at: { $gt: after } }, options)))?.due_at;
  }

  /** Moves what is due up to `position` to `next`, or clears it when nothing is left to expire. */
  async reschedule(organisationId: string, job: JobKey, position: number, now: Date, next?: Date): Promise<void> {
    const upToPosition = { $gt: entryId(job, 0), $lte: entryId(job, position) };
    const filter = { _id: upToPosition, organisation_id: organisationId, due_at: { $lte: now } };
    const update = next ? { $set: { due_at: next } } : { $unset: { due_at: true as const } };
    await translated(() => this.#entries.updateMany(filter, update));
  }

  /** Jobs of the pipeline that are active or were until lately, after an entry's key; `last`: where the next ones are. */
  async markedActive(
    organisationId: string,
    { pipelineId, after, limit }: { pipelineId: string; after: string; limit: number },
  ): Promise<{ jobs: JobReference[]; last: string | undefined }> {
    const filter = { pipeline_id: pipelineId, active: true as const, _id: { $gt: after } };
    const marked = await this.#log.find(organisationId, filter, { sort: { _id: 1 }, limit, without: ["facts"] });
    return { jobs: distinctJobs(marked), last: marked.length < limit ? undefined : marked.at(-1)?._id };
  }

  /** For a job that is not active at that position: takes the marks of its entries away. */
  async clearActive(job: JobKey, position: number): Promise<void> {
    const upToPosition = { $gt: entryId(job, 0), $lte: entryId(job, position) };
    const filter = { _id: upToPosition, organisation_id: job.organisationId, active: true as const };
    await translated(() => this.#entries.updateMany(filter, { $unset: { active: true as const } }));
  }

  /** Jobs with a lease that the member ever held. */
  async leasedBy(organisationId: string, memberId: string): Promise<JobReference[]> {
    return distinctJobs(await this.#log.find(organisationId, { lease_holder: memberId }));
  }

  /** Primary keys after `key` of entries whose events await the relay, in order. The index alone answers. */
  async unpublishedKeys(key: string, limit: number): Promise<string[]> {
    const filter = { published: false, _id: { $gt: key } };
    const query = this.#entries
      .find(filter)
      .sort({ published: 1, _id: 1 })
      .limit(limit)
      .project<{ _id: string }>({ _id: 1 });
    const found = await translated(() => query.toArray());
    return found.map(({ _id }) => _id);
  }

  /** The entries of these primary keys, in order. */
  withKeys(keys: string[]): Promise<JobEntryDocument[]> {
    const query = this.#entries.find({ _id: { $in: keys } }).sort({ _id: 1 });
    return translated(() => query.toArray());
  }

  /** How many entries are unpublished, and when the oldest of them was written; counts 10,000 at most. */
  async backlog(): Promise<{ pending: number; oldestAt: Date | undefined }> {
    const query = this.#entries.find({ published: false }).project<{ at: Date }>({ at: 1 }).limit(10_000);
    const entries = await translated(() => query.toArray());
    const oldestMs = entries.reduce((oldest, { at }) => Math.min(oldest, at.getTime()), Number.POSITIVE_INFINITY);
    return { pending: entries.length, oldestAt: entries.length === 0 ? undefined : new Date(oldestMs) };
  }

  /** For entries whose events are all published. */
  async markPublished(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const update = { $set: { published: true }, $currentDate: { published_at: true as const } };
    await translated(() => this.#entries.updateMany({ _id: { $in: ids } }, update));
  }

  /**
   * Has the events of entries published again that were published between these times, and written since `since`.
   * Returns how many entries they are.
   */
  async republish(between: PublishedBetween, since: Date): Promise<number> {
    const times = { ...(between.since && { $gte: between.since }), ...(between.until && { $lte: between.until }) };
    const bounded = between.since !== undefined || between.until !== undefined;
    // Entries of earlier versions do not say when they were published.
    const when = bounded ? { $or: [{ published_at: times }, { published_at: { $exists: false } }] } : {};
    const filter = { published: true, at: { $gte: since }, ...when };
    const update = { $set: { published: false }, $unset: { published_at: true as const }, $inc: { losses: 1 } };
    return (await translated(() => this.#entries.updateMany(filter, update))).modifiedCount;
  }
}

/** What the fold sees of a stored entry. */
export function entryOf({ position, kind, at, decision, facts, traceparent }: JobEntryDocument): JobEntry {
  return { position, kind, at, decision, facts, ...(traceparent === undefined ? {} : { traceparent }) };
}

function ofJob({ runId, jobName }: JobKey) {
  return { run_id: runId, job_name: jobName };
}

function distinctJobs(entries: JobEntryDocument[]): JobReference[] {
  const jobs = new Map<string, JobReference>();
  for (const { organisation_id, run_id, job_name, pipeline_id } of entries) {
    const job = { organisationId: organisation_id, runId: run_id, jobName: job_name, pipelineId: pipeline_id };
    jobs.set(jobKeyText(job), job);
  }
  return [...jobs.values()];
}
