import { readCommand } from "../control-commands/command-view.ts";
import type { ControlCommand } from "../control-commands/control-command.ts";
import { stateAfter } from "../control-commands/control-command.ts";
import { CommandOutOfOrderError, CommandResolvedError, NotFoundError } from "../errors.ts";
import type { JobDirectory } from "../jobs/job-directory.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { activeSegmentIndex, type JobSnapshot } from "../jobs/job-snapshot.ts";
import type { JobState } from "../jobs/job-state.ts";
import { acknowledgementFacts, type CommandOutcome } from "./acknowledgement.ts";
import { assertAttached, jobOfTrainer, type TrainerAddress } from "./attachment.ts";
import type { EndingDependencies } from "./report-job-state.ts";

/** What acknowledging needs. */
export interface AcknowledgingDependencies extends EndingDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
}

/** As it stands after the acknowledgement. */
export interface Acknowledged {
  command: ControlCommand;
  state: JobState;
  activeSegment: number;
}

/**
 * Records what became of the lowest pending command. Repeating it answers the same. Throws NotFoundError,
 * AttachmentLostError, CommandOutOfOrderError, and CommandResolvedError when the command was decided before.
 */
export async function acknowledgeCommand(
  { directory, logs, logStore, finalMetrics }: AcknowledgingDependencies,
  organisationId: string,
  { commandId, ...trainer }: TrainerAddress & { commandId: string },
  outcome: CommandOutcome,
): Promise<Acknowledged> {
  const found = await jobOfTrainer(directory, organisationId, trainer);
  const { reference, job: declaration } = found;
  const recorded = (await logStore.byCommandId(organisationId, reference, commandId))?.facts.command;
  if (!recorded) throw new NotFoundError();
  const mayEnd = outcome.status === "applied" && stateAfter(recorded.action) === "completed";
  const metrics = mayEnd ? await finalMetrics(found) : undefined;
  const job = await logs.decide<JobSnapshot>(reference, (job, at) => {
    const { first } = job.pending;
    if (!job.pending.bySequence(recorded.sequence)) return { answer: job };
    assertAttached(job, trainer.attachmentId);
    if (first && first.sequence !== recorded.sequence)
      throw new CommandOutOfOrderError(recorded.sequence, first.sequence);
    const given = { recorded, outcome, attachmentId: trainer.attachmentId };
    const decided = acknowledgementFacts(job, declaration, given, at);
    const facts = metrics && decided.state?.to === "completed" ? { ...decided, metrics } : decided;
    return { draft: { kind: "command_acknowledged", facts }, answer: (after) => after };
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
