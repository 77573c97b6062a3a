import { usesCheckpoint } from "../control-commands/control-command.ts";
import type { Checkpoint } from "../job-log/job-entry.ts";
import { activeSegmentIndex, type JobSnapshot, keptCheckpoints } from "../job-log/job-snapshot.ts";
import { bestOrNewest, rankedByMetric } from "../runs/best-checkpoint.ts";
import type { JobDeclaration } from "../runs/run.ts";

export type KeepReason = "newest" | "best" | "resume" | "segment" | "pending_command" | "result";

/** What a rule keeps of the checkpoints that it is about. */
export interface KeepRule {
  keepNewest?: number | undefined;
  keepBest?: number | undefined;
}

/** A checkpoint that stays, and everything that it stays for. */
export interface KeptCheckpoint {
  checkpoint: Checkpoint;
  reasons: KeepReason[];
}

/** What becomes of the chosen checkpoints, both oldest first. */
export interface PrunePlan {
  pruned: Checkpoint[];
  kept: KeptCheckpoint[];
}

interface PruneCase {
  job: JobSnapshot;
  declaration: JobDeclaration;
  /** Oldest first. */
  chosen: readonly Checkpoint[];
  rule: KeepRule;
}

type Ids = readonly (string | undefined)[];

/** What keeps checkpoints: the first two are the request's rule, the others what the job needs, whatever is requested. */
const keepers: readonly (readonly [KeepReason, (given: PruneCase) => Ids])[] = [
  ["newest", ({ chosen, rule }) => (rule.keepNewest === undefined ? [] : idsOf(chosen.slice(-rule.keepNewest)))],
  ["best", ruledBest],
  ["best", ({ job, declaration }) => [bestOrNewest(keptCheckpoints(job), declaration.primaryMetric)?.id]],
  ["resume", ({ job }) => (mayGoOn(job) ? [pausedAt(job), newestOfSegment(job)?.id] : [])],
  ["segment", ({ job }) => (mayGoOn(job) && !newestOfSegment(job) ? [job.segments.at(-1)?.checkpointId] : [])],
  ["pending_command", usedByPending],
  ["result", ({ job }) => [job.artifact?.checkpointId]],
];

/** Splits the chosen checkpoints into those that go and those that stay. */
export function planPruning(given: PruneCase): PrunePlan {
  const reasons = new Map<string, KeepReason[]>();
  for (const [reason, idsKept] of keepers) {
    for (const id of new Set(idsKept(given))) {
      if (id === undefined) continue;
      const known = reasons.get(id) ?? [];
      if (!known.includes(reason)) reasons.set(id, [...known, reason]);
    }
  }
  const pruned = given.chosen.filter(({ id }) => !reasons.has(id));
  const kept = given.chosen.flatMap((checkpoint) => {
    const of = reasons.get(checkpoint.id);
    return of ? [{ checkpoint, reasons: of }] : [];
  });
  return { pruned, kept };
}

function idsOf(checkpoints: readonly Checkpoint[]): Ids {
  return checkpoints.map(({ id }) => id);
}

function ruledBest({ chosen, declaration: { primaryMetric }, rule }: PruneCase): Ids {
  if (rule.keepBest === undefined || !primaryMetric) return [];
  return idsOf(rankedByMetric(chosen, primaryMetric).slice(0, rule.keepBest));
}

/** A job that has failed is taken up again by a trainer or a command. */
function mayGoOn({ state }: JobSnapshot): boolean {
  return state !== "completed" && state !== "aborted";
}

/** A refused command leads back to the pause. */
function pausedAt({ settledState, pauseCheckpointId }: JobSnapshot): string | undefined {
  return settledState === "paused" ? pauseCheckpointId : undefined;
}

/** Where a trainer of the job goes on after a restart. */
function newestOfSegment(job: JobSnapshot): Checkpoint | undefined {
  const active = activeSegmentIndex(job);
  return keptCheckpoints(job).findLast(({ segmentIndex }) => segmentIndex === active);
}

/** A command that names none was delivered with the one chosen then, which may be another one now: all of them stay. */
function usedByPending({ job }: PruneCase): Ids {
  const using = [...job.pending].filter(({ action }) => usesCheckpoint(action));
  if (using.some(({ checkpointId }) => checkpointId === undefined)) return idsOf(keptCheckpoints(job));
  return using.map(({ checkpointId }) => checkpointId);
}
