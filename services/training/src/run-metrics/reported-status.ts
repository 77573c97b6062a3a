import type { JobState } from "../job-log/job-state.ts";

/** A job's state, or that it is silent or makes no progress. Neither of those ends the job. */
export type ReportedStatus = JobState | "stalled" | "lost";

/** States in which a process has to be alive. Waiting for a trainer, paused and ended jobs have none. */
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

/** When a job last showed that it is alive; times are milliseconds since 1970. */
export interface Liveness {
  state: JobState;
  /** When the state was entered. */
  stateSince: number;
  /** Newest report or entry of any kind. */
  lastSeenAt: number;
  /** When the job last made progress. */
  progressAt: number;
  stallTimeoutSeconds: number;
  heartbeatTimeoutSeconds: number;
}

/** The status at `now`, and when it changes if no further report arrives. */
export function reportedStatus(signs: Liveness, now: number): { status: ReportedStatus; until?: number } {
  const { state, stateSince } = signs;
  if (!alive[state]) return { status: state };
  const lostAt = Math.max(signs.lastSeenAt, stateSince) + signs.heartbeatTimeoutSeconds * 1000;
  if (now > lostAt) return { status: "lost" };
  if (state !== "running") return { status: state, until: lostAt };
  const stalledAt = Math.max(signs.progressAt, stateSince) + signs.stallTimeoutSeconds * 1000;
  return now > stalledAt ? { status: "stalled", until: lostAt } : { status: state, until: Math.min(lostAt, stalledAt) };
}
