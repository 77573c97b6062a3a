import { readCommand } from "../control-commands/command-view.ts";
import { CommandNotFoundError, type ControlCommand, stateAfter } from "../control-commands/control-command.ts";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { activeSegmentIndex, assertAttached, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import {
  acknowledgementFacts,
  type CommandOutcome,
  CommandOutOfOrderError,
  CommandResolvedError,
} from "./acknowledgement.ts";
import type { TrainerAddress } from "./attach-trainer.ts";
import type { EndingDependencies } from "./report-job-state.ts";

export interface AcknowledgeCommandDependencies extends EndingDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
}

/** The job after the acknowledgement. */
export interface Acknowledged {
  command: ControlCommand;
  state: JobState;
  activeSegment: number;
}

/**
 * Records what became of the lowest pending command. Repeating it answers the same.
 * @throws JobNotFoundError
 * @throws CommandNotFoundError
 * @throws AttachmentLostError
 * @throws CommandOutOfOrderError
 * @throws CommandResolvedError when the command was decided before
 */
export async function acknowledgeCommand(
  { directory, logs, logStore, finalMetrics }: AcknowledgeCommandDependencies,
  organisationId: string,
  { commandId, ...trainer }: TrainerAddress & { commandId: string },
  outcome: CommandOutcome,
): Promise<Acknowledged> {
  const found = await directory.get(organisationId, trainer);
  const { reference, job: declaration } = found;
  const recorded = (await logStore.byCommandId(organisationId, reference, commandId))?.facts.command;
  if (!recorded) throw new CommandNotFoundError();
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
