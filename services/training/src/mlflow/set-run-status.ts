import type { NewSegment } from "../job-log/job-entry.ts";
import { activeSegmentIndex, assertAttached, type JobSnapshot } from "../job-log/job-snapshot.ts";
import { isEnded } from "../job-log/job-state.ts";
import { type HoldJobDependencies, holdJob } from "../metric-points/hold-job.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import { type EndingDependencies, moveFacts } from "../trainers/report-job-state.ts";
import { type ReportedStatus, stateOfStatus, statesOfStatus } from "./run-status.ts";

export interface SetRunStatusDependencies extends HoldJobDependencies, EndingDependencies {
  /** The newest step that was reported of a segment. */
  reportedStep: (found: DirectoryEntry, segmentIndex: number) => Promise<number | undefined>;
}

/**
 * Records where a script says that its run stands. It may go on with a run that has ended, which no trainer may: that begins a segment.
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 * @throws AttachmentLostError when another process is the job's trainer
 */
export async function setRunStatus(
  dependencies: SetRunStatusDependencies,
  organisationId: string,
  runId: string,
  status: ReportedStatus,
): Promise<JobSnapshot> {
  const { directory, logs, finalMetrics, reportedStep } = dependencies;
  const found = await directory.get(organisationId, { runId });
  const { reference, job: declared } = found;
  const { attachmentId, job: held } = await holdJob(dependencies, organisationId, { runId, jobName: declared.name });
  const metrics = status === "FINISHED" ? await finalMetrics(found) : undefined;
  const lastStep = isEnded(held.state) ? await reportedStep(found, activeSegmentIndex(held)) : undefined;
  return logs.decide<JobSnapshot>(reference, (job) => {
    assertAttached(job, attachmentId);
    if (statesOfStatus[status].includes(job.state)) return { answer: job };
    const segment = status === "RUNNING" && isEnded(job.state) ? { segment: nextSegment(job, lastStep ?? 0) } : {};
    const move = moveFacts(job, { state: stateOfStatus[status] });
    const facts = { ...move, ...segment, ...(metrics ? { metrics } : {}) };
    return { draft: { kind: "state_reported", facts }, answer: (after) => after };
  });
}

function nextSegment(job: JobSnapshot, startStep: number): NewSegment {
  const parentIndex = activeSegmentIndex(job);
  const isFirst = job.segments.length === 0;
  return {
    ...{ index: isFirst ? 0 : parentIndex + 1, kind: isFirst ? "initial" : "resume", startStep, overrides: "{}" },
    ...(isFirst ? {} : { parentIndex }),
  };
}
