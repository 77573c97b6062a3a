import { LRUCache } from "lru-cache";
import type { JobLogs } from "../jobs/job-logs.ts";
import type { JobSnapshot } from "../jobs/job-snapshot.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { AcceptedReport } from "../metric-reports/report.ts";
import type { ChangeSignals } from "./change-signals.ts";
import { areCutsEqual, cutsOf, type JobCuts } from "./job-live.ts";
import { RunLive } from "./run-live.ts";

interface LiveRunsDependencies {
  buckets: Pick<MetricBucketStore, "after">;
  logs: Pick<JobLogs, "state">;
  signals: ChangeSignals;
  /** Milliseconds that never run backwards. */
  ticks: () => number;
  /** Bytes of points kept over all runs; the run that was read longest ago goes first. */
  budgetBytes: number;
}

/** Wake-ups may get lost with the connection that carries them; after so long a reader looks for itself. */
const TRUSTED_MS = 1_000;

/** Live states of the runs that callers read. A run that is not here is folded from the database. */
export class LiveRuns {
  readonly #dependencies: LiveRunsDependencies;
  readonly #runs: LRUCache<string, Follower>;

  constructor(dependencies: LiveRunsDependencies) {
    this.#dependencies = dependencies;
    this.#runs = new LRUCache({ maxSize: dependencies.budgetBytes });
  }

  /**
   * The run with everything known to be durable, and the job as its log stands; folded under that log's cuts. `anew`: with all
   * that is durable now, whether this replica has heard of it or not.
   */
  async read(
    organisationId: string,
    runId: string,
    jobName: string,
    o: { anew?: boolean } = {},
  ): Promise<{ run: RunLive; job: JobSnapshot }> {
    const { logs } = this.#dependencies;
    const follower = this.#followerOf(organisationId, runId);
    if (o.anew) follower.doubt();
    for (;;) {
      await follower.freshen();
      const job = await logs.state(organisationId, runId, jobName);
      if (follower.agreesWith(jobName, job)) {
        this.#weigh(follower);
        return { run: follower.run, job };
      }
      follower.reset();
    }
  }

  /** A batch became durable here. */
  accepted(batch: AcceptedReport): void {
    const follower = this.#runs.peek(batch.runId);
    if (follower?.take(batch)) this.#weigh(follower);
    this.#dependencies.signals.wake(batch.runId);
  }

  /** Some replica says that the run's sequence has reached this. */
  heardOf(runId: string, sequence: number): void {
    this.#runs.peek(runId)?.heardOf(sequence);
    this.#dependencies.signals.wake(runId);
  }

  #followerOf(organisationId: string, runId: string): Follower {
    // The id of a run is unique over all organisations; that the caller's has it was looked up before.
    const known = this.#runs.get(runId);
    if (known) return known;
    const follower = new Follower(organisationId, runId, this.#dependencies);
    this.#runs.set(runId, follower, { size: follower.weight });
    return follower;
  }

  /** Tells the cache what the run weighs now, when that has changed enough to matter. */
  #weigh(follower: Follower): void {
    const weight = follower.run.bytes;
    if (weight <= follower.weight * 1.1 && weight >= follower.weight / 2) return;
    follower.weight = Math.min(weight, this.#dependencies.budgetBytes);
    this.#runs.set(follower.runId, follower, { size: follower.weight });
  }
}

/** One run's live state and how far behind the database it may be. */
class Follower {
  readonly organisationId: string;
  readonly runId: string;
  readonly #dependencies: LiveRunsDependencies;
  run = new RunLive();
  weight = 1024;
  #heard = 0;
  #freshAt = Number.NEGATIVE_INFINITY;
  #doubtedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #cuts = new Map<string, JobCuts>();

  constructor(organisationId: string, runId: string, dependencies: LiveRunsDependencies) {
    this.organisationId = organisationId;
    this.runId = runId;
    this.#dependencies = dependencies;
  }

  /** Folds a batch that follows; anything else is read from the database when a caller asks. */
  take(batch: AcceptedReport): boolean {
    this.heardOf(batch.sequence);
    if (this.#reading || !this.#cuts.has(batch.jobName)) return false;
    return this.run.fold(batch, (jobName) => this.#cutsOf(jobName));
  }

  heardOf(sequence: number): void {
    this.#heard = Math.max(this.#heard, sequence);
  }

  /** Resolves when nothing is missing that this replica has heard of, or that was durable a moment ago. */
  async freshen(): Promise<void> {
    // Twice at most: a read that was under way may have begun before what has been heard of was durable.
    for (let attempt = 0; attempt < 2 && this.#isBehind(); attempt++) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  #isBehind(): boolean {
    const age = this.#dependencies.ticks() - this.#freshAt;
    const isDoubted = this.#freshAt < this.#doubtedAt;
    return this.#reading !== undefined || this.#heard > this.run.sequence || age > TRUSTED_MS || isDoubted;
  }

  /** Whether the points stand where the job's log wants them. */
  agreesWith(jobName: string, { segments }: JobSnapshot): boolean {
    const cuts = cutsOf(segments);
    const job = this.run.jobs.get(jobName);
    if (job && !areCutsEqual(job.cuts, cuts)) return false;
    if (job) job.cuts = cuts;
    this.#cuts.set(jobName, cuts);
    return true;
  }

  /** Earlier reads are no longer fresh enough, nor is a read that is under way. */
  doubt(): void {
    this.#doubtedAt = this.#dependencies.ticks();
  }

  /** Forgets the points: they have to be folded anew under other cuts. */
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
