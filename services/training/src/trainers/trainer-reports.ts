import type { JobKey } from "../jobs/job-entry.ts";

/** What is known of a trainer from the batches it reports; they are no part of the job's log. */
export interface TrainerReports {
  /** Highest report counter that is durable; 0: none. */
  durableCounter(job: JobKey): Promise<number>;
  /** The newest heartbeat that was reported, by the server's clock. */
  heartbeatAt(job: JobKey): Promise<Date | undefined>;
}
