import {
  DuplicateKeyError,
  type GroupWriter,
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "@aiplatform/document-store";
import { LRUCache } from "lru-cache";
import { bucketId, type MetricBucket, type MetricBucketStore } from "./metric-bucket-store.ts";
import type { AcceptedReport, Durable, Report } from "./report.ts";
import type { Origin } from "./report-stream.ts";

/** A batch to store. */
export interface NewReport {
  organisationId: string;
  runId: string;
  jobName: string;
  /** `next`: the one above the highest that is durable. */
  counter: number | "next";
  /** Names the batch where its counter does not: a batch of a job with the same one is a repeat. */
  digest?: string;
  segment: number;
  archived: boolean;
  bytes: Uint8Array;
  report: Report;
}

interface IntakeDependencies {
  buckets: MetricBucketStore;
  clock: () => Date;
  /** Told about each batch that became durable, in order of its run's sequence. */
  accepted: (report: AcceptedReport) => void;
  /** Told after each write what the run's sequence is now. */
  announce: (runId: string, sequence: number) => void;
}

/** Runs whose newest sequence is cached. */
const maxCachedRuns = 10_000;
const maxBatchSize = 64;
const maxAttempts = 20;

/**
 * Gives each batch of a run the next sequence and stores it once. At most one write of a run is under way: what
 * arrives meanwhile forms the next, so no batch is ever sent behind one that may fail and a sequence has no gap.
 * Several replicas may write the same run: a unique index refuses the slower, who reads the end again and retries.
 */
export class ReportIntake {
  readonly #dependencies: IntakeDependencies;
  readonly #writer: GroupWriter<MetricBucket>;
  readonly #runs: LRUCache<string, RunQueue>;

  constructor(dependencies: IntakeDependencies) {
    this.#dependencies = dependencies;
    this.#writer = dependencies.buckets.writer();
    this.#runs = new LRUCache({ max: maxCachedRuns });
  }

  /**
   * Resolves when the batch is durable, or was before. Batches of one origin are stored in the order in which they are
   * added; when one cannot be, those after it are refused as well.
   */
  add(report: NewReport, origin: Origin): Promise<Durable> {
    const key = `${report.organisationId}:${report.runId}`;
    let queue = this.#runs.get(key);
    if (!queue) {
      queue = new RunQueue(this.#dependencies, this.#writer);
      this.#runs.set(key, queue);
    }
    return queue.add(report, origin);
  }

  /** Resolves when every batch taken is settled. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}

interface PendingReport {
  report: NewReport;
  origin: Origin;
  resolve: (durable: Durable) => void;
  reject: (error: unknown) => void;
}

/** A batch with its counter. */
type NumberedReport = NewReport & { counter: number };

/** A batch to write. */
interface FreshBatch {
  bucket: MetricBucket;
  report: NumberedReport;
}

/** Batches of one run on their way to the store. */
class RunQueue {
  readonly #dependencies: IntakeDependencies;
  readonly #writer: GroupWriter<MetricBucket>;
  #queue: PendingReport[] = [];
  #writing = false;
  /** Unknown until read, and again after any failure. */
  #sequence: number | undefined;
  readonly #counters = new Map<string, number>();
  #announced = 0;

  constructor(dependencies: IntakeDependencies, writer: GroupWriter<MetricBucket>) {
    this.#dependencies = dependencies;
    this.#writer = writer;
  }

  add(report: NewReport, origin: Origin): Promise<Durable> {
    if (origin.broken) return Promise.reject(new WriteUnavailableError("a batch before this one was not stored"));
    const { promise, resolve, reject } = Promise.withResolvers<Durable>();
    this.#queue.push({ report, origin, resolve, reject });
    if (!this.#writing) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) {
      const taken = this.#queue.splice(0, maxBatchSize);
      try {
        await this.#store(taken);
      } catch (error) {
        this.#forget();
        this.#refuse([...taken, ...this.#queue.splice(0)], error);
      }
    }
    this.#writing = false;
  }

  #refuse(lost: readonly PendingReport[], error: unknown): void {
    for (const { origin } of lost) origin.broken = true;
    for (const { reject } of lost) reject(error);
  }

  async #store(taken: readonly PendingReport[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const sequence = await this.#readEnd(taken);
        const fresh = this.#number(taken, sequence, await this.#readDigests(taken));
        await this.#writer.submit(fresh.map(({ bucket }) => bucket));
        this.#settle(fresh, sequence);
        break;
      } catch (error) {
        this.#forget();
        if (!isRetryable(error) || attempt === maxAttempts) throw error;
      }
    }
    for (const { report, resolve } of taken) {
      this.#announce(report.runId, this.#sequence ?? 0);
      resolve({ counter: this.#counters.get(report.jobName) ?? 0, sequence: this.#sequence ?? 0 });
    }
  }

  async #readEnd(taken: readonly PendingReport[]): Promise<number> {
    const { buckets } = this.#dependencies;
    for (const { report } of taken) {
      if (this.#counters.has(report.jobName)) continue;
      const tail = await buckets.tailOf(report.organisationId, report.runId, report.jobName);
      this.#counters.set(report.jobName, tail?.counter ?? 0);
    }
    const [first] = taken;
    // Read after the counters: a sequence that is too old is refused by the index, a counter that is too old as well.
    this.#sequence ??= first ? await buckets.newestSequence(first.report.organisationId, first.report.runId) : 0;
    return this.#sequence;
  }

  /** Those of the batches' digests that are stored. Read at each attempt: an index refuses one that was stored meanwhile. */
  async #readDigests(taken: readonly PendingReport[]): Promise<Set<string>> {
    const stored = new Set<string>();
    for (const { report } of taken) {
      if (report.digest === undefined) continue;
      if (await this.#dependencies.buckets.hasDigest({ ...report, digest: report.digest }))
        stored.add(digestKey(report));
    }
    return stored;
  }

  /** The batches that were not stored before, with their place. */
  #number(taken: readonly PendingReport[], sequence: number, repeated: Set<string>): FreshBatch[] {
    const acceptedAt = this.#dependencies.clock();
    const highest = new Map<string, number>();
    const fresh: FreshBatch[] = [];
    for (const { report } of taken) {
      const seen = highest.get(report.jobName) ?? this.#counters.get(report.jobName) ?? 0;
      const counter = report.counter === "next" ? seen + 1 : report.counter;
      if (counter <= seen || repeated.has(digestKey(report))) continue;
      if (report.digest !== undefined) repeated.add(digestKey(report));
      highest.set(report.jobName, counter);
      const numbered = { ...report, counter };
      fresh.push({ bucket: bucketOf(numbered, sequence + fresh.length + 1, acceptedAt), report: numbered });
    }
    return fresh;
  }

  #settle(fresh: readonly FreshBatch[], sequence: number): void {
    const { accepted } = this.#dependencies;
    for (const { bucket, report } of fresh) {
      this.#counters.set(report.jobName, report.counter);
      accepted({ ...report, sequence: bucket.sequence, acceptedAt: bucket.accepted_at });
    }
    this.#sequence = sequence + fresh.length;
  }

  /** Also when only this attempt found out that an earlier one had succeeded. */
  #announce(runId: string, sequence: number): void {
    if (sequence <= this.#announced) return;
    this.#announced = sequence;
    this.#dependencies.announce(runId, sequence);
  }

  #forget(): void {
    this.#sequence = undefined;
    this.#counters.clear();
  }
}

/** Within a run. Job names hold no colon. */
function digestKey({ jobName, digest = "" }: NewReport): string {
  return `${jobName}:${digest}`;
}

function bucketOf(report: NumberedReport, sequence: number, acceptedAt: Date): MetricBucket {
  return {
    _id: bucketId(report.runId, sequence),
    organisation_id: report.organisationId,
    run_id: report.runId,
    job_name: report.jobName,
    counter: report.counter,
    ...(report.digest === undefined ? {} : { digest: report.digest }),
    sequence,
    segment: report.segment,
    archived: report.archived,
    accepted_at: acceptedAt,
    report: report.bytes,
  };
}

/** Another replica was faster, or the outcome of the write is unknown: the index tells at the next attempt. */
function isRetryable(error: unknown): boolean {
  return (
    error instanceof DuplicateKeyError ||
    error instanceof WriteOutcomeUnknownError ||
    (error instanceof WriteUnavailableError && error.cause !== undefined)
  );
}
