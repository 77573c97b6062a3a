import { LRUCache } from "lru-cache";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { AcceptedReport } from "../metric-reports/report.ts";
import type { ChangeSignals } from "./change-signals.ts";
import { areCutsEqual, cutsOf, type JobCuts } from "./job-live.ts";
import { RunLive } from "./run-live.ts";

interface LiveRunsDependencies {
  buckets: Pick<MetricBucketStore, "after">;
  logs: Pick<JobLogs, "state">;
  signals: ChangeSignals;
  /** A monotonic clock, ms. */
  ticks: () => number;
}

/** Messages may get lost with the connection that carries them; after this time a reader asks the database. */
const maxAgeMs = 1_000;

/** Live states of the runs that callers read. A run that is not here is folded from the database. */
export class LiveRuns {
  readonly #dependencies: LiveRunsDependencies;
  readonly #maxBytes: number;
  readonly #runs: LRUCache<string, CachedRun>;

  /** `maxBytes`: of points, over all runs; the run that was read longest ago is evicted first. */
  constructor(dependencies: LiveRunsDependencies, { maxBytes }: { maxBytes: number }) {
    this.#dependencies = dependencies;
    this.#maxBytes = maxBytes;
    this.#runs = new LRUCache({ maxSize: maxBytes });
  }

  /**
   * The run with everything known to be durable, and the job at the end of its log; folded under that log's cuts.
   * `fresh`: with all that is durable now, whether this replica was notified of it or not.
   */
  async read(
    organisationId: string,
    runId: string,
    jobName: string,
    o: { fresh?: boolean } = {},
  ): Promise<{ run: RunLive; job: JobSnapshot }> {
    const { logs } = this.#dependencies;
    const cached = this.#cachedRun(organisationId, runId);
    if (o.fresh) cached.invalidate();
    for (;;) {
      await cached.refresh();
      const job = await logs.state(organisationId, runId, jobName);
      if (cached.hasCutsOf(jobName, job)) {
        this.#weigh(cached);
        return { run: cached.run, job };
      }
      cached.reset();
    }
  }

  /** A batch became durable here. */
  accepted(batch: AcceptedReport): void {
    const cached = this.#runs.peek(batch.runId);
    if (cached?.take(batch)) this.#weigh(cached);
    this.#dependencies.signals.notify(batch.runId);
  }

  /** A replica says that the run's sequence has reached this. */
  notify(runId: string, sequence: number): void {
    this.#runs.peek(runId)?.notify(sequence);
    this.#dependencies.signals.notify(runId);
  }

  #cachedRun(organisationId: string, runId: string): CachedRun {
    // The id of a run is unique over all organisations; that the caller's has it was looked up before.
    const known = this.#runs.get(runId);
    if (known) return known;
    const cached = new CachedRun(organisationId, runId, this.#dependencies);
    this.#runs.set(runId, cached, { size: cached.weight });
    return cached;
  }

  /** Tells the cache what the run weighs now, when that has changed enough to matter. */
  #weigh(cached: CachedRun): void {
    const weight = cached.run.bytes;
    if (weight <= cached.weight * 1.1 && weight >= cached.weight / 2) return;
    cached.weight = Math.min(weight, this.#maxBytes);
    this.#runs.set(cached.runId, cached, { size: cached.weight });
  }
}

/** One run's live state and how far behind the database it may be. */
class CachedRun {
  readonly organisationId: string;
  readonly runId: string;
  readonly #dependencies: LiveRunsDependencies;
  run = new RunLive();
  weight = 1024;
  #notifiedSequence = 0;
  #freshAt = Number.NEGATIVE_INFINITY;
  #invalidatedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #cuts = new Map<string, JobCuts>();

  constructor(organisationId: string, runId: string, dependencies: LiveRunsDependencies) {
    this.organisationId = organisationId;
    this.runId = runId;
    this.#dependencies = dependencies;
  }

  /** Folds a batch that follows; anything else is read from the database when a caller asks. */
  take(batch: AcceptedReport): boolean {
    this.notify(batch.sequence);
    if (this.#reading || !this.#cuts.has(batch.jobName)) return false;
    return this.run.fold(batch, (jobName) => this.#cutsOf(jobName));
  }

  notify(sequence: number): void {
    this.#notifiedSequence = Math.max(this.#notifiedSequence, sequence);
  }

  /** Resolves when nothing is missing that this replica was notified of, or that was durable a moment ago. */
  async refresh(): Promise<void> {
    // Twice at most: a read that was under way may have begun before what it was notified of was durable.
    for (let attempt = 0; attempt < 2 && this.#isBehind(); attempt++) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  #isBehind(): boolean {
    const age = this.#dependencies.ticks() - this.#freshAt;
    const isInvalidated = this.#freshAt < this.#invalidatedAt;
    return this.#reading !== undefined || this.#notifiedSequence > this.run.sequence || age > maxAgeMs || isInvalidated;
  }

  /** Whether the points were folded under the cuts of the job's log. */
  hasCutsOf(jobName: string, { segments }: JobSnapshot): boolean {
    const cuts = cutsOf(segments);
    const job = this.run.jobs.get(jobName);
    if (job && !areCutsEqual(job.cuts, cuts)) return false;
    if (job) job.cuts = cuts;
    this.#cuts.set(jobName, cuts);
    return true;
  }

  /** Earlier reads are no longer fresh enough, nor is a read that is under way. */
  invalidate(): void {
    this.#invalidatedAt = this.#dependencies.ticks();
  }

  /** Drops the points: they have to be folded again under other cuts. */
  reset(): void {
    this.run = new RunLive();
    this.#cuts.clear();
    this.#freshAt = Number.NEGATIVE_INFINITY;
  }

  async #read(): Promise<void> {
    const { buckets, ticks } = this.#dependencies;
    const run = this.run;
    for (;;) {
      const startedAt = ticks();
      const page = await buckets.after(this.organisationId, this.runId, run.sequence);
      for (const { jobName } of page) await this.#learnCuts(jobName);
      // A cut that came meanwhile has reset the run; the caller that reset it reads it.
      if (run !== this.run) return;
      const folded = page.every((batch) => run.fold(batch, (jobName) => this.#cutsOf(jobName)));
      if (!folded) throw new Error(`run ${this.runId} lacks a batch after sequence ${run.sequence}`);
      if (page.length > 0) continue;
      this.#freshAt = startedAt;
      return;
    }
  }

  async #learnCuts(jobName: string): Promise<void> {
    if (this.#cuts.has(jobName)) return;
    const { segments } = await this.#dependencies.logs.state(this.organisationId, this.runId, jobName);
    this.#cuts.set(jobName, cutsOf(segments));
  }

  #cutsOf(jobName: string): JobCuts {
    return this.#cuts.get(jobName) ?? cutsOf([]);
  }
}
