import { chooseCheckpoint } from "../control-commands/checkpoint-choice.ts";
import { readCommand } from "../control-commands/command-view.ts";
import {
  canHaveApplied,
  type ControlCommand,
  type RecordedCommand,
  segmentOpenedBy,
  stateAfter,
  usesCheckpoint,
} from "../control-commands/control-command.ts";
import { CommandOutOfOrderError, CommandResolvedError, InvalidFieldsError, NotFoundError } from "../errors.ts";
import type { JobDirectory } from "../jobs/job-directory.ts";
import type { Artifact, Checkpoint, JobFacts, NewSegment, Resolution } from "../jobs/job-entry.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { activeSegmentIndex, checkpointOf, type JobSnapshot } from "../jobs/job-snapshot.ts";
import type { JobState } from "../jobs/job-state.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { assertAttached, jobOfTrainer, type TrainerAddress } from "./attachment.ts";
import { withReadmission } from "./readmit-commands.ts";

/** A command whose effect is there. */
export interface AppliedOutcome {
  status: "applied";
  checkpointId?: string;
  /** What a pause has saved. */
  checkpoint?: Checkpoint;
  startStep?: number;
  artifact?: Artifact;
  detail?: string;
}

/** A command that the trainer will not apply. */
export interface RefusedOutcome {
  status: "rejected";
  detail: string;
}

/** What became of a command. */
export type CommandOutcome = AppliedOutcome | RefusedOutcome;

/** As it stands after the acknowledgement. */
export interface Acknowledged {
  command: ControlCommand;
  state: JobState;
  activeSegment: number;
}

/**
 * Records what became of the lowest pending command. Repeating it answers the same. Throws NotFoundError,
 * AttachmentLostError, CommandOutOfOrderError, and CommandResolvedError when somebody else decided it first.
 */
export async function acknowledgeCommand(
  { directory, logs, logStore }: { directory: JobDirectory; logs: JobLogs; logStore: JobLogStore },
  organisationId: string,
  { commandId, ...trainer }: TrainerAddress & { commandId: string },
  outcome: CommandOutcome,
): Promise<Acknowledged> {
  const found = await jobOfTrainer(directory, organisationId, trainer);
  const { reference, job: declaration } = found;
  const recorded = (await logStore.byCommandId(organisationId, reference, commandId))?.facts.command;
  if (!recorded) throw new NotFoundError();
  const job = await logs.decide<JobSnapshot>(reference, (job, at) => {
    const { first } = job.pending;
    if (!job.pending.bySequence(recorded.sequence)) return { answer: job };
    assertAttached(job, trainer.attachmentId);
    if (first && first.sequence !== recorded.sequence) throw new CommandOutOfOrderError(recorded.sequence, first.sequence);
    const facts = acknowledgement(job, declaration, { recorded, outcome, attachmentId: trainer.attachmentId });
    const draft = { kind: "command_acknowledged" as const, facts: withReadmission(job, declaration, facts, at) };
    return { draft, answer: (after) => after };
  });
  const outcomes = await logStore.touching(organisationId, reference, recorded.sequence, recorded.sequence);
  const decided = outcomes.flatMap(({ facts }) => facts.resolutions ?? []);
  const own = decided.find(({ sequences }) => sequences.includes(recorded.sequence));
  const command = await readCommand(logStore, reference, recorded);
  if (own?.attachmentId !== trainer.attachmentId || own.status !== outcome.status) {
    throw new CommandResolvedError(recorded.sequence, command.status, command.detail);
  }
  return { command, state: job.state, activeSegment: activeSegmentIndex(job) };
}

interface Acknowledgement<O extends CommandOutcome = CommandOutcome> {
  recorded: RecordedCommand;
  outcome: O;
  attachmentId: string;
}

function acknowledgement(job: JobSnapshot, declaration: JobDeclaration, given: Acknowledgement): JobFacts {
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

/** What the trainer says it used, else what the command was to use. */
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
  const parentIndex = kind === "resume" ? last?.index : (checkpoint?.segmentIndex ?? last?.index);
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
