import { IllegalMoveError } from "../errors.ts";
import type { DirectoryEntry, JobDirectory } from "../jobs/job-directory.ts";
import type { Artifact, FinalMetrics, JobFacts, NewSegment } from "../jobs/job-entry.ts";
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

/** What is needed where a job may end. */
export interface EndingDependencies {
  /** The job's metrics as they are now: what is announced with its end, and so kept with it. */
  finalMetrics: (found: DirectoryEntry) => Promise<FinalMetrics>;
}

const firstSegment: NewSegment = { index: 0, kind: "initial", startStep: 0, overrides: "{}" };

/**
 * Records a state that the trainer entered; the state the job is in already changes nothing.
 * Throws NotFoundError, AttachmentLostError, IllegalMoveError.
 */
export async function reportJobState(
  { directory, logs, finalMetrics }: { directory: JobDirectory; logs: JobLogs } & EndingDependencies,
  organisationId: string,
  trainer: TrainerAddress,
  reported: ReportedState,
): Promise<JobState> {
  const found = await jobOfTrainer(directory, organisationId, trainer);
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
