import type { Artifact, FinalMetrics, JobFacts, NewSegment } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { assertAttached, type JobSnapshot } from "../job-log/job-snapshot.ts";
import { IllegalMoveError, isEnded, type JobState, mayReport } from "../job-log/job-state.ts";
import type { DirectoryEntry, JobDirectory } from "../runs/job-directory.ts";
import type { TrainerAddress } from "./attach-trainer.ts";

/** A state that a trainer entered by itself. */
export interface ReportedState {
  state: JobState;
  detail?: string;
  /** The result, with `completed`. */
  artifact?: Artifact;
}

export interface EndingDependencies {
  /** The job's metrics as they are now: what is announced with its end, and so kept with it. */
  finalMetrics: (found: DirectoryEntry) => Promise<FinalMetrics>;
}

const firstSegment: NewSegment = { index: 0, kind: "initial", startStep: 0, overrides: "{}" };

/**
 * Records a state that the trainer entered; the state the job is in already changes nothing.
 * @throws JobNotFoundError
 * @throws AttachmentLostError
 * @throws IllegalMoveError
 */
export async function reportJobState(
  { directory, logs, finalMetrics }: { directory: JobDirectory; logs: JobLogs } & EndingDependencies,
  organisationId: string,
  trainer: TrainerAddress,
  reported: ReportedState,
): Promise<JobState> {
  const found = await directory.get(organisationId, trainer);
  const { reference } = found;
  const metrics = reported.state === "completed" ? await finalMetrics(found) : undefined;
  return logs.decide<JobState>(reference, (job) => {
    assertAttached(job, trainer.attachmentId);
    if (job.state === reported.state) return { answer: job.state };
    if (!mayReport(job.state, reported.state)) throw new IllegalMoveError(job.state, reported.state);
    const facts = { ...moveFacts(job, reported), ...(metrics ? { metrics } : {}) };
    return { draft: { kind: "state_reported", facts }, answer: (after) => after.state };
  });
}

/** Everything that becomes true when the trainer enters the state. */
export function moveFacts(job: JobSnapshot, { state, detail, artifact }: ReportedState): JobFacts {
  const left = isEnded(state) ? job.pending.sequences() : [];
  return {
    state: { from: job.state, to: state, ...(detail ? { detail } : {}) },
    ...(left.length > 0 ? { resolutions: [{ sequences: left, status: "rejected", detail: `job ${state}` }] } : {}),
    ...(state === "running" && job.segments.length === 0 ? { segment: firstSegment } : {}),
    ...(state === "completed" && artifact ? { artifact } : {}),
  };
}
