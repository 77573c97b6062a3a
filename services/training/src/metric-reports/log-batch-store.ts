import {
  type DocumentStore,
  DuplicateKeyError,
  type IndexPlan,
  isDuplicateKey,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import type { JobKey } from "../job-log/job-entry.ts";

/** A line that a trainer has logged. */
export interface LoggedLine {
  message: string;
  source: string;
  at: Date;
}

/** The lines of one report. */
export interface LogBatch {
  counter: number;
  lines: LoggedLine[];
}

/** Which lines of a job. */
export interface LineFilter {
  /** Empty: any. */
  sources: readonly string[];
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Which batches of a job, by the counters of their reports. */
export interface BatchRange {
  from: number;
  upTo: number;
}

/** How much of what trainers log is kept. */
export interface LogRetention {
  retentionMs: number;
  /** Of each job: the oldest lines go first. */
  maxBytesPerJob: number;
}

interface LogBatchDocument extends TenantDocument {
  /** `<run>/<job>/<counter>`, the counter padded. */
  _id: string;
  run_id: string;
  job_name: string;
  counter: number;
  bytes: number;
  first_at: Date;
  last_at: Date;
  sources: string[];
  lines: LoggedLine[];
  expires_at: Date;
}

const collection = "log_batches";
/** Batches of a job after which its oldest lines are looked at. */
const trimEvery = 256;
/** Jobs of which this process knows how many batches it has stored since it looked. */
const maxCountedJobs = 10_000;
/** What a line takes beside its texts, in bytes. */
const lineOverhead = 32;

/** The lines of reports. Each batch stands by itself: a repeated one meets its primary key. */
export class LogBatchStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "sizes_of_job", key: { organisation_id: 1, run_id: 1, job_name: 1, counter: -1, bytes: 1 } },
      { name: "expiry", key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ],
  };

  readonly #batches: TenantCollection<LogBatchDocument>;
  readonly #retention: LogRetention;
  readonly #stored = new LRUCache<string, number>({ max: maxCountedJobs });

  constructor(store: DocumentStore, retention: LogRetention) {
    this.#batches = new TenantCollection(store, collection);
    this.#retention = retention;
  }

  /** Stores the lines of a report; those of a report that was here before stay as they are. */
  async insert(job: JobKey, { counter, lines }: LogBatch, acceptedAt: Date): Promise<void> {
    const document = this.#documentOf(job, { counter, lines }, acceptedAt);
    try {
      await this.#batches.insert(job.organisationId, document);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError) && !isDuplicateKey(error)) throw error;
    }
    await this.#trimNowAndThen(job);
  }

  /** For a report that was refused after its lines were stored. */
  async delete(job: JobKey, counter: number): Promise<void> {
    await this.#batches.deleteOne(job.organisationId, { _id: idOf(job, counter) });
  }

  /** Batches that may hold such lines, by counter. Lines of a batch that do not match are still in it. */
  async *each(job: JobKey, { from, upTo }: BatchRange, filter: LineFilter): AsyncGenerator<LogBatch> {
    const { sources, since, until } = filter;
    const wanted = {
      _id: { $gte: idOf(job, from), $lte: idOf(job, upTo) },
      ...(sources.length > 0 ? { sources: { $in: [...sources] } } : {}),
      ...(since ? { last_at: { $gte: since } } : {}),
      ...(until ? { first_at: { $lt: until } } : {}),
    };
    const found = this.#batches.each(job.organisationId, wanted, { sort: { _id: 1 } });
    for await (const { counter, lines } of found) yield { counter, lines };
  }

  #documentOf(job: JobKey, { counter, lines }: LogBatch, acceptedAt: Date): LogBatchDocument {
    const times = lines.map(({ at }) => at.getTime());
    const size = (text: string) => Buffer.byteLength(text);
    return {
      _id: idOf(job, counter),
      organisation_id: job.organisationId,
      run_id: job.runId,
      job_name: job.jobName,
      counter,
      bytes: lines.reduce((sum, { message, source }) => sum + size(message) + size(source) + lineOverhead, 0),
      first_at: new Date(Math.min(...times)),
      last_at: new Date(Math.max(...times)),
      sources: [...new Set(lines.map(({ source }) => source))],
      lines,
      expires_at: new Date(acceptedAt.getTime() + this.#retention.retentionMs),
    };
  }

  async #trimNowAndThen(job: JobKey): Promise<void> {
    const key = `${job.runId}/${job.jobName}`;
    const stored = this.#stored.get(key) ?? 0;
    this.#stored.set(key, stored + 1);
    if (stored % trimEvery === 0) await this.#trim(job);
  }

  /** Removes the oldest batches that are too much. The index alone says which. */
  async #trim({ organisationId, runId, jobName }: JobKey): Promise<void> {
    const ofJob = { run_id: runId, job_name: jobName };
    const options = { sort: { counter: -1 }, only: ["counter", "bytes"] } as const;
    let bytes = 0;
    for await (const batch of this.#batches.each(organisationId, ofJob, options)) {
      bytes += batch.bytes;
      if (bytes <= this.#retention.maxBytesPerJob) continue;
      await this.#batches.deleteMany(organisationId, { ...ofJob, counter: { $lte: batch.counter } });
      return;
    }
  }
}

function idOf({ runId, jobName }: Pick<JobKey, "runId" | "jobName">, counter: number): string {
  return `${runId}/${jobName}/${String(counter).padStart(10, "0")}`;
}
