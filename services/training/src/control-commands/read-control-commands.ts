import type { CommandStatus } from "../job-log/job-entry.ts";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import { readCommand, readCommands } from "./command-view.ts";
import { CommandNotFoundError, type ControlCommand } from "./control-command.ts";

export interface ReadControlCommandsDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
}

/** How long to wait for a final status, and what ends the wait early. */
export interface WaitOptions {
  milliseconds: number;
  signal: AbortSignal;
}

/**
 * One command with its present status, or with its final one as soon as it is decided.
 * @throws JobNotFoundError
 * @throws CommandNotFoundError
 */
export async function getControlCommand(
  { directory, logs, logStore }: ReadControlCommandsDependencies,
  organisationId: string,
  { commandId, ...address }: JobAddress & { commandId: string },
  { milliseconds, signal }: WaitOptions,
): Promise<ControlCommand> {
  const { reference } = await directory.get(organisationId, address);
  const recorded = (await logStore.byCommandId(organisationId, reference, commandId))?.facts.command;
  if (!recorded) throw new CommandNotFoundError();
  if (milliseconds === 0 || recorded.status !== "pending") return readCommand(logStore, reference, recorded);
  // Followed before it is read: an outcome in between is not missed.
  using follower = await logs.follow(reference);
  const end = performance.now() + milliseconds;
  for (;;) {
    const command = await readCommand(logStore, reference, recorded);
    const left = end - performance.now();
    if (command.status !== "pending" || left <= 0 || signal.aborted) return command;
    while (performance.now() < end && !signal.aborted) {
      const changes = await follower.next(end - performance.now(), signal);
      if (changes.some(({ job }) => job.pending.bySequence(recorded.sequence) === undefined)) break;
    }
  }
}

export interface ListOptions {
  afterSequence: number;
  status?: CommandStatus;
  limit: number;
}

const windowSize = 1_000;

/**
 * A job's commands by sequence.
 * @throws JobNotFoundError
 */
export async function listControlCommands(
  { directory, logStore }: Pick<ReadControlCommandsDependencies, "directory" | "logStore">,
  organisationId: string,
  address: JobAddress,
  { afterSequence, status, limit }: ListOptions,
): Promise<ControlCommand[]> {
  const { reference } = await directory.get(organisationId, address);
  const chosen: ControlCommand[] = [];
  // Sequences have no gaps: a window that comes back empty is the end.
  for (let from = afterSequence + 1; chosen.length < limit; from += windowSize) {
    const wanted = status === undefined ? Math.min(windowSize, limit - chosen.length) : windowSize;
    const commands = await readCommands(logStore, reference, from, from + wanted - 1);
    if (commands.size === 0) break;
    chosen.push(...[...commands.values()].filter((command) => status === undefined || command.status === status));
  }
  return chosen.slice(0, limit).sort((left, right) => left.sequence - right.sequence);
}
