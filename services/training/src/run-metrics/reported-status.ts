import type { JobState } from "../jobs/job-state.ts";

/** What a reader is told of a job: its state, or that it is silent or stands still. Neither of those kills anything. */
export type ReportedStatus = JobState | "stalled" | "lost";

/** States in which a process has to be alive. Waiting for a trainer, paused and ended jobs have none to hear of. */
const alive: Record<JobState, boolean> = {
  queued: false,
  preparing: true,
  running: true,
  held: true,
  pausing: true,
  paused: false,
  restoring: true,
  finishing: true,
  aborting: true,
  completed: false,
  failed: false,
  aborted: false,
};

/** What is known of a job's life; times are milliseconds since 1970. */
export interface SignsOfLife {
  state: JobState;
  /** When the state was entered. */
  stateSince: number;
  /** Newest sign of any kind. */
  heardAt: number;
  /** When the job last got further. */
  progressAt: number;
  stallTimeoutSeconds: number;
  heartbeatTimeoutSeconds: number;
}

/** The status at `now`, and when it would change if nothing more were heard. */
export function reportedStatus(signs: SignsOfLife, now: number): { status: ReportedStatus; until?: number } {
  const { state, stateSince } = signs;
  if (!alive[state]) return { status: state };
  const lostAt = Math.max(signs.heardAt, stateSince) + signs.heartbeatTimeoutSeconds * 1000;
  if (now > lostAt) return { status: "lost" };
  if (state !== "running") return { status: state, until: lostAt };
  const stalledAt = Math.max(signs.progressAt, stateSince) + signs.stallTimeoutSeconds * 1000;
  return now > stalledAt ? { status: "stalled", until: lostAt } : { status: state, until: Math.min(lostAt, stalledAt) };
}
