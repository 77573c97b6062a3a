import { AttachmentLostError, activeSegmentIndex } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import { overridesInForce } from "../job-log/overrides-in-force.ts";
import { assertNotArchived } from "../runs/archived-run.ts";
import type { RunDataset } from "../runs/run.ts";
import { type AttachTrainerDependencies, attach, type TrainerAddress } from "./attach-trainer.ts";

/** A process that takes a job, and the pipeline that it knows the run to be of. */
export interface JobTaker extends TrainerAddress {
  pipelineId: string;
}

/** Where a job stands that was taken. */
export interface TakenJob {
  state: JobState;
  /** Of the newest report that is durable; 0: none. */
  durableCounter: number;
  activeSegment: number;
  epoch: number;
  /** JSON text of an object. */
  overrides: string;
  /** That the run reads. */
  datasets: readonly RunDataset[];
}

/**
 * Makes the caller the job's trainer without a stream.
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 * @throws AttachmentLostError when a newer attachment has replaced this one
 */
export async function takeJob(
  dependencies: Omit<AttachTrainerDependencies, "draining" | "logStore">,
  organisationId: string,
  taker: JobTaker,
): Promise<TakenJob> {
  const { directory, logs, metricBuckets } = dependencies;
  const found = await directory.get(organisationId, taker);
  await assertNotArchived(dependencies, found.run);
  if ((await attach(logs, found, taker.attachmentId)) !== taker.attachmentId) throw new AttachmentLostError();
  const { runId, jobName } = found.reference;
  const job = await logs.state(organisationId, runId, jobName);
  const lastReport = await metricBuckets.tailOf(organisationId, runId, jobName);
  const { state, epoch } = job;
  const { datasets } = found.run;
  const reported = { durableCounter: lastReport?.counter ?? 0, activeSegment: activeSegmentIndex(job) };
  return { state, ...reported, epoch, overrides: overridesInForce(job), datasets };
}
