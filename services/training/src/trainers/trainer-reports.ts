/** What is known of a trainer from the batches it reports; they are no part of the job's log. */
export interface TrainerReports {
  /** Highest report counter that is durable; 0: none. */
  durableCounter(organisationId: string, runId: string, jobName: string): Promise<number>;
  /** The newest heartbeat that was reported, by the server's clock. */
  heartbeatAt(organisationId: string, runId: string, jobName: string): Promise<Date | undefined>;
}
