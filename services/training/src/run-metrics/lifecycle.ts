import type { JobState } from "../job-log/job-state.ts";
import { lifecyclePhases, type PhaseName, type PhaseStatus } from "../metric-reports/report.ts";
import type { PhaseClock, Span } from "./phase-clock.ts";

/** A phase as a reader sees it; times are milliseconds since 1970. */
export interface PhaseView {
  name: PhaseName;
  status: PhaseStatus;
  startedAt: number | undefined;
  finishedAt: number | undefined;
  elapsedMs: number;
}

export interface LifecycleFacts {
  state: JobState;
  phases: ReadonlyMap<PhaseName, PhaseClock>;
  currentPhase: PhaseName | undefined;
  pauses: readonly Span[];
  /** When the run was created. */
  createdAt: number;
  /** When the first batch was accepted; absent: nothing was reported yet. */
  firstSeenAt: number | undefined;
  /** When the job ended, if it did. */
  endedAt: number | undefined;
}

/** The phase a job is in as far as its state tells, for trainers that report none. */
const phaseOfState: Record<JobState, PhaseName> = {
  queued: "queued",
  preparing: "preparing",
  running: "training",
  held: "training",
  pausing: "checkpointing",
  paused: "training",
  restoring: "preparing",
  finishing: "finalizing",
  aborting: "finalizing",
  completed: "finalizing",
  failed: "training",
  aborted: "training",
};

/** The status of a phase that its trainer never closed, once the job is paused or has ended. */
const atRest: Partial<Record<JobState, Partial<Record<PhaseStatus, PhaseStatus>>>> = {
  paused: { running: "paused" },
  completed: { running: "completed", paused: "completed", pending: "skipped" },
  failed: { running: "failed", paused: "failed" },
  aborted: { running: "failed", paused: "failed", pending: "skipped" },
};

export function currentPhaseOf({ state, currentPhase, firstSeenAt }: LifecycleFacts): PhaseName {
  if (firstSeenAt === undefined) return "queued";
  return currentPhase ?? phaseOfState[state];
}

/** All phases in order. Before any report all are pending. */
export function phasesOf(facts: LifecycleFacts, now: number): PhaseView[] {
  return lifecyclePhases.map((name) => {
    const clock = facts.phases.get(name);
    const waitedUntil = name === "queued" ? queueLeftAt(clock, facts) : undefined;
    if (waitedUntil !== undefined) return waitedPhase(facts, waitedUntil);
    if (clock) return reportedPhase(name, clock, facts, now);
    const status = facts.firstSeenAt === undefined ? "pending" : settledStatus("pending", facts.state);
    return { name, status, startedAt: undefined, finishedAt: undefined, elapsedMs: 0 };
  });
}

function reportedPhase(name: PhaseName, clock: PhaseClock, facts: LifecycleFacts, now: number): PhaseView {
  const { state, pauses, endedAt } = facts;
  const status = settledStatus(clock.status, state);
  const closed = status === clock.status ? undefined : endedAt;
  return {
    name,
    status,
    startedAt: clock.startedAt,
    finishedAt: clock.finishedAt ?? (status === "skipped" ? undefined : closed),
    elapsedMs: clock.elapsed(endedAt ?? now, pauses),
  };
}

/**
 * When the job left the queue, unless its trainer timed that itself. A trainer that reports has left it, whether it says
 * so or not; one that only says that the queue is over was not there when it began.
 */
function queueLeftAt(clock: PhaseClock | undefined, { firstSeenAt }: LifecycleFacts): number | undefined {
  if (!clock) return firstSeenAt;
  return clock.status === "completed" && clock.startedAt === undefined ? clock.finishedAt : undefined;
}

/** The queue as a wait since the run was created. */
function waitedPhase({ createdAt }: LifecycleFacts, finishedAt: number): PhaseView {
  const elapsedMs = Math.max(0, finishedAt - createdAt);
  return { name: "queued", status: "completed", startedAt: createdAt, finishedAt, elapsedMs };
}

function settledStatus(status: PhaseStatus, state: JobState): PhaseStatus {
  return atRest[state]?.[status] ?? status;
}
