import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { isEnded, type JobState } from "../job-log/job-state.ts";

export const runStatuses = ["SCHEDULED", "RUNNING", "FINISHED", "FAILED", "KILLED"] as const;

/** Where a run of MLflow stands. */
export type RunStatus = (typeof runStatuses)[number];

/** The states of jobs that each status stands for. */
export const statesOfStatus: Readonly<Record<RunStatus, readonly JobState[]>> = {
  SCHEDULED: ["queued"],
  RUNNING: ["preparing", "running", "held", "pausing", "paused", "restoring", "finishing", "aborting"],
  FINISHED: ["completed"],
  FAILED: ["failed"],
  KILLED: ["aborted"],
};

/** A status that scripts say. No script says that its run is scheduled. */
export type ReportedStatus = Exclude<RunStatus, "SCHEDULED">;

/** The state that a script brings its job into by saying a status. */
export const stateOfStatus: Readonly<Record<ReportedStatus, JobState>> = {
  RUNNING: "running",
  FINISHED: "completed",
  FAILED: "failed",
  KILLED: "aborted",
};

/** The status that a script says by that name; undefined for a name that it says nothing by. */
export function statusNamed(name: string): ReportedStatus | undefined {
  return runStatuses.filter((status) => status !== "SCHEDULED").find((status) => status === name);
}

/** Which status wins where the jobs of a run differ. */
const order: readonly RunStatus[] = ["RUNNING", "FAILED", "KILLED", "SCHEDULED", "FINISHED"];

/** The status of a run by its jobs. */
export function statusOfJobs(jobs: readonly Pick<JobSnapshot, "state">[]): RunStatus {
  const has = (status: RunStatus) => jobs.some(({ state }) => statesOfStatus[status].includes(state));
  return order.find(has) ?? "SCHEDULED";
}

/** When the last of the jobs ended; undefined while one has not. */
export function endOfJobs(jobs: readonly Pick<JobSnapshot, "state" | "stateSince">[]): Date | undefined {
  if (jobs.length === 0 || !jobs.every(({ state }) => isEnded(state))) return undefined;
  return new Date(Math.max(...jobs.map(({ stateSince }) => stateSince?.getTime() ?? 0)));
}
