import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { isEnded } from "../job-log/job-state.ts";
import type { PhaseName } from "../metric-reports/report.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import { currentPhaseOf, type PhaseView, phasesOf } from "./lifecycle.ts";
import { activeTime, pausesBetween } from "./phase-clock.ts";
import { reportedStatus } from "./reported-status.ts";
import type { RunLive } from "./run-live.ts";

/** A job of a run, and what is known of it at a time. */
export interface ViewSources {
  found: DirectoryEntry;
  run: RunLive;
  job: JobSnapshot;
  now: Date;
}

/** Times in milliseconds since 1970. */
export interface LifecycleView {
  currentPhase: PhaseName;
  phaseStartedAt: number | undefined;
  /** Without the time it was paused. */
  elapsedMs: number;
  /** In order. */
  phases: readonly PhaseView[];
}

/** The job's status at that time, and when it changes by silence alone (milliseconds since 1970). */
export function statusOf({ found, run, job, now }: ViewSources) {
  const live = run.jobs.get(found.job.name);
  const { stallTimeoutSeconds, heartbeatTimeoutSeconds } = found.job;
  const signs = {
    state: job.state,
    stateSince: job.stateSince?.getTime() ?? 0,
    lastSeenAt: Math.max(live?.lastSeenAt ?? 0, job.trainerSeenAt?.getTime() ?? 0),
    progressAt: live?.progressAt ?? 0,
    stallTimeoutSeconds,
    heartbeatTimeoutSeconds,
  };
  return reportedStatus(signs, now.getTime());
}

export function lifecycleOf({ found, run, job, now }: ViewSources): LifecycleView {
  const live = run.jobs.get(found.job.name);
  const facts = {
    state: job.state,
    phases: live?.phases ?? new Map(),
    currentPhase: live?.currentPhase,
    pauses: pausesBetween(job.segments),
    createdAt: found.run.createdAt.getTime(),
    firstSeenAt: live?.firstSeenAt,
    endedAt: isEnded(job.state) ? job.stateSince?.getTime() : undefined,
  };
  const currentPhase = currentPhaseOf(facts);
  const phases = phasesOf(facts, now.getTime());
  const current = phases.find(({ name }) => name === currentPhase);
  return {
    currentPhase,
    phaseStartedAt: live?.phases.get(currentPhase)?.enteredAt ?? current?.startedAt,
    elapsedMs: activeTime(job.segments, facts.endedAt ?? now.getTime()),
    phases,
  };
}
