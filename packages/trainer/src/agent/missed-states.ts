import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { TrainerStatus } from "./journal.ts";

/** From these a job cannot finish: it has to run before. */
const beforeRunning: readonly JobState[] = [JobState.QUEUED, JobState.PREPARING, JobState.FAILED];

/**
 * States that the platform is told after an attachment, in this order, because it has missed them: `known` is the state that it answered.
 * A trainer may have come to the end of its schedule while nothing of it was recorded.
 */
export function missedStates(status: TrainerStatus, known: JobState): readonly JobState[] {
  if (status === "failed") return known === JobState.FAILED ? [] : [JobState.FAILED];
  const runs = status === "complete" ? !beforeRunning.includes(known) : known === JobState.RUNNING;
  if ((status !== "running" && status !== "complete") || runs) return [];
  const isBehind = known === JobState.QUEUED || known === JobState.FAILED;
  return isBehind ? [JobState.PREPARING, JobState.RUNNING] : [JobState.RUNNING];
}
