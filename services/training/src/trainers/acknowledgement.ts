import { InvalidFieldsError } from "@aiplatform/service-host";
import { chooseCheckpoint } from "../control-commands/checkpoint-choice.ts";
import {
  canHaveApplied,
  segmentOpenedBy,
  stateAfter,
  takesOverrides,
  usesCheckpoint,
} from "../control-commands/control-command.ts";
import { withReadmission } from "../control-commands/readmit-commands.ts";
import type { Artifact, Checkpoint, JobFacts, NewSegment, RecordedCommand, Resolution } from "../job-log/job-entry.ts";
import { checkpointOf, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import type { JobDeclaration } from "../runs/run.ts";

/** The trainer has applied the command. */
export interface AppliedOutcome {
  status: "applied";
  checkpointId?: string;
  /** What a pause has saved. */
  checkpoint?: Checkpoint;
  startStep?: number;
  artifact?: Artifact;
  detail?: string;
}

export interface RejectedOutcome {
  status: "rejected";
  detail: string;
}

export type CommandOutcome = AppliedOutcome | RejectedOutcome;

/** The command was decided before: the trainer must not act on it, or must undo what it did. */
export class CommandResolvedError extends Error {
  override name = "CommandResolvedError";
  readonly sequence: number;
  constructor(sequence: number, status: string, detail = "") {
    super(`command ${sequence} is ${status} already${detail && `: ${detail}`}`);
    this.sequence = sequence;
  }
}

/** A command of lower sequence has to be acknowledged first. */
export class CommandOutOfOrderError extends Error {
  override name = "CommandOutOfOrderError";
  readonly next: number;
  constructor(sequence: number, next: number) {
    super(`command ${next} has to be acknowledged before command ${sequence}`);
    this.next = next;
  }
}

/** A command, what became of it, and the attachment that says so. */
export interface Acknowledgement<O extends CommandOutcome = CommandOutcome> {
  recorded: RecordedCommand;
  outcome: O;
  attachmentId: string;
}

/** Everything that becomes true with an acknowledgement, for the commands behind it as well. */
export function acknowledgementFacts(
  job: JobSnapshot,
  declaration: JobDeclaration,
  given: Acknowledgement,
  at: Date,
): JobFacts {
  return withReadmission(job, declaration, outcomeFacts(job, declaration, given), at);
}

function outcomeFacts(job: JobSnapshot, declaration: JobDeclaration, given: Acknowledgement): JobFacts {
  const { recorded, outcome, attachmentId } = given;
  if (outcome.status === "rejected") {
    return { ...resolved(given, { detail: outcome.detail, attachmentId }), ...movedTo(job, job.settledState) };
  }
  if (!canHaveApplied(recorded.action, job.state)) {
    const resolution = { sequences: [recorded.sequence], status: "rejected" as const };
    return { resolutions: [{ ...resolution, detail: `not possible while ${job.state}` }] };
  }
  return applied(job, declaration, { recorded, outcome, attachmentId });
}

function applied(job: JobSnapshot, declaration: JobDeclaration, given: Acknowledgement<AppliedOutcome>): JobFacts {
  const { recorded, outcome, attachmentId } = given;
  const checkpoint = checkpointUsed(job, declaration, given);
  const segment = segmentOpened(job, given, checkpoint);
  const detail = outcome.detail ? { detail: outcome.detail } : {};
  const used = checkpoint ? { checkpointId: checkpoint.id } : {};
  return {
    ...resolved(given, { ...detail, ...used, attachmentId }),
    ...movedTo(job, stateAfter(recorded.action)),
    ...(segment ? { segment } : {}),
    ...(!segment && takesOverrides(recorded.action) ? { overrides: recorded.overrides } : {}),
    ...(outcome.checkpoint ? { checkpoint: outcome.checkpoint } : {}),
    ...(outcome.artifact ? { artifact: { ...outcome.artifact, ...used } } : {}),
  };
}

function resolved({ recorded, outcome }: Acknowledgement, rest: Partial<Resolution>): JobFacts {
  return { resolutions: [{ sequences: [recorded.sequence], status: outcome.status, ...rest }] };
}

function movedTo(job: JobSnapshot, to: JobState): Pick<JobFacts, "state"> {
  return job.state === to ? {} : { state: { from: job.state, to } };
}

/** The one that the trainer used, else the one that the command was to use. */
function checkpointUsed(
  job: JobSnapshot,
  declaration: JobDeclaration,
  { recorded, outcome }: Acknowledgement<AppliedOutcome>,
): Checkpoint | undefined {
  const { checkpoint: saved, checkpointId = saved?.id } = outcome;
  if (checkpointId !== undefined) {
    const named = saved?.id === checkpointId ? saved : checkpointOf(job, checkpointId);
    if (named) return named;
    const description = "is no checkpoint of this job";
    throw new InvalidFieldsError([{ field: "applied.checkpoint_id", reason: "UNKNOWN_CHECKPOINT", description }]);
  }
  if (recorded.action === "resume") return job.pauseCheckpointId ? checkpointOf(job, job.pauseCheckpointId) : undefined;
  return usesCheckpoint(recorded.action) ? chooseCheckpoint(job, declaration, recorded).checkpoint : undefined;
}

function segmentOpened(
  job: JobSnapshot,
  { recorded, outcome }: Acknowledgement<AppliedOutcome>,
  checkpoint: Checkpoint | undefined,
): NewSegment | undefined {
  const kind = segmentOpenedBy(recorded.action);
  if (!kind) return undefined;
  const last = job.segments.at(-1);
  const parentIndex =
    last && (kind === "resume" ? last.index : Math.min(checkpoint?.segmentIndex ?? last.index, last.index));
  return {
    index: job.segments.length,
    kind: last ? kind : "initial",
    ...(parentIndex === undefined ? {} : { parentIndex }),
    startStep: outcome.startStep ?? checkpoint?.step ?? 0,
    ...(checkpoint ? { checkpointId: checkpoint.id } : {}),
    commandId: recorded.id,
    commandSequence: recorded.sequence,
    overrides: recorded.overrides,
  };
}
