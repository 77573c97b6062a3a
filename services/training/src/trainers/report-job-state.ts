import { IllegalMoveError } from "../errors.ts";
import type { JobDirectory } from "../jobs/job-directory.ts";
import type { Artifact, JobFacts, NewSegment } from "../jobs/job-entry.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import type { JobSnapshot } from "../jobs/job-snapshot.ts";
import { isEnded, type JobState, mayReport } from "../jobs/job-state.ts";
import { assertAttached, jobOfTrainer, type TrainerAddress } from "./attachment.ts";

/** A state that a trainer entered by itself. */
export interface ReportedState {
  state: JobState;
  detail?: string;
  /** The result, with `completed`. */
  artifact?: Artifact;
}

const firstSegment: NewSegment = { index: 0, kind: "initial", startStep: 0, overrides: "{}" };

/**
 * Records a state that the trainer entered; the state the job is in already changes nothing.
 * Throws NotFoundError, AttachmentLostError, IllegalMoveError.
 */
export async function reportJobState(
  { directory, logs }: { directory: JobDirectory; logs: JobLogs },
  organisationId: string,
  trainer: TrainerAddress,
  reported: ReportedState,
): Promise<JobState> {
  const { reference } = await jobOfTrainer(directory, organisationId, trainer);
  return logs.decide<JobState>(reference, (job) => {
    assertAttached(job, trainer.attachmentId);
    if (job.state === reported.state) return { answer: job.state };
    if (!mayReport(job.state, reported.state)) throw new IllegalMoveError(job.state, reported.state);
    return { draft: { kind: "state_reported", facts: moveFacts(job, reported) }, answer: (after) => after.state };
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
