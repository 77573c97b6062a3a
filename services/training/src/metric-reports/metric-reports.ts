import type { TrainerReports } from "../trainers/trainer-reports.ts";
import type { MetricBucketStore } from "./metric-bucket-store.ts";

/** What is durable of a job's reports; read from the database, so it holds for all replicas. */
export class MetricReports implements TrainerReports {
  readonly #buckets: MetricBucketStore;

  constructor(buckets: MetricBucketStore) {
    this.#buckets = buckets;
  }

  /** Highest counter that is durable; 0: none. */
  async durableCounter(organisationId: string, runId: string, jobName: string): Promise<number> {
    return (await this.#buckets.tailOf(organisationId, runId, jobName))?.counter ?? 0;
  }

  /** When the newest batch was accepted. */
  async heartbeatAt(organisationId: string, runId: string, jobName: string): Promise<Date | undefined> {
    return (await this.#buckets.tailOf(organisationId, runId, jobName))?.acceptedAt;
  }
}
