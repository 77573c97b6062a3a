import type { JobFacts, Resolution } from "../job-log/job-entry.ts";
import { foldEntry } from "../job-log/job-fold.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { isEnded } from "../job-log/job-state.ts";
import { PendingCommands } from "../job-log/pending-commands.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { chooseCheckpoint } from "./checkpoint-choice.ts";
import { admissionOf, stateAfter, usesCheckpoint } from "./control-command.ts";

/**
 * Adds to a decision what it means for the commands that stay pending: an end rejects them all, and one that was
 * admitted on a state which did not come about is judged again on the state that did.
 */
export function withReadmission(job: JobSnapshot, declaration: JobDeclaration, facts: JobFacts, at: Date): JobFacts {
  if (job.pending.size === 0) return facts;
  const kind = "command_acknowledged";
  const after = foldEntry(job, { position: job.position + 1, kind, at, decision: "", facts });
  const outcomes = isEnded(after.state) && facts.state ? rejectAll(after) : readmit(after, declaration);
  return outcomes.length === 0 ? facts : { ...facts, resolutions: [...(facts.resolutions ?? []), ...outcomes] };
}

function rejectAll({ pending, state }: JobSnapshot): Resolution[] {
  return pending.size === 0 ? [] : [{ sequences: pending.sequences(), status: "rejected", detail: `job ${state}` }];
}

function readmit(job: JobSnapshot, declaration: JobDeclaration): Resolution[] {
  const outcomes: Resolution[] = [];
  let state = job.settledState;
  let isNext = true;
  for (const command of job.pending) {
    const { sequence, action } = command;
    const admission = admissionOf(action, state);
    if (admission === "N") outcomes.push({ sequences: [sequence], status: "applied", detail: `already ${state}` });
    if (admission === "R") {
      outcomes.push({ sequences: [sequence], status: "rejected", detail: `not possible while ${state}` });
    }
    if (admission !== "A") continue;
    const refusal = isNext && usesCheckpoint(action) ? refusalNow(job, declaration, command) : undefined;
    if (refusal) outcomes.push({ sequences: [sequence], status: "rejected", detail: refusal });
    else {
      state = stateAfter(action);
      isNext = false;
    }
  }
  return outcomes;
}

/** The command is the next to be applied: no pause is left ahead of it that could save a checkpoint for it. */
function refusalNow(
  job: JobSnapshot,
  declaration: JobDeclaration,
  command: Parameters<typeof chooseCheckpoint>[2],
): string | undefined {
  return chooseCheckpoint({ ...job, pending: PendingCommands.none }, declaration, command).refusal;
}
