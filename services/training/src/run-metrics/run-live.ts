import type { AcceptedReport } from "../metric-reports/report.ts";
import { type JobCuts, JobLive } from "./job-live.ts";

/** Live state of a run: its batches folded in the order of their sequence, so that every replica has the same. */
export class RunLive {
  /** Of the newest batch; 0: none yet. */
  sequence = 0;
  /** When the newest batch was accepted. */
  updatedAt: Date | undefined;
  readonly jobs = new Map<string, JobLive>();

  /** Roughly the bytes held. */
  get bytes(): number {
    let bytes = 1024;
    for (const job of this.jobs.values()) bytes += job.bytes;
    return bytes;
  }

  /** Folds the next batch; false when it is not the next one. */
  fold(batch: AcceptedReport, cutsOf: (jobName: string) => JobCuts): boolean {
    if (batch.sequence !== this.sequence + 1) return false;
    let job = this.jobs.get(batch.jobName);
    if (!job) {
      job = new JobLive(cutsOf(batch.jobName));
      this.jobs.set(batch.jobName, job);
    }
    job.fold(batch);
    this.sequence = batch.sequence;
    this.updatedAt = batch.acceptedAt;
    return true;
  }
}
