import type { JobKey, RecordedCommand, Resolution } from "../job-log/job-entry.ts";
import type { JobEntryDocument, JobLogStore } from "../job-log/job-log-store.ts";
import type { ControlCommand } from "./control-command.ts";

/** The command after an outcome, or as it was recorded. */
export function commandAfter(command: RecordedCommand, outcome?: { resolution: Resolution; at: Date }): ControlCommand {
  if (!outcome) return command.status === "applied" ? { ...command, appliedAt: command.createdAt } : command;
  const { status, detail, checkpointId } = outcome.resolution;
  return {
    ...command,
    status,
    ...(detail ? { detail } : {}),
    ...(checkpointId ? { checkpointId } : {}),
    ...(status === "applied" ? { appliedAt: outcome.at } : {}),
  };
}

/** The commands of sequences `from` to `to` with their present status, read from the log. */
export async function readCommands(
  store: JobLogStore,
  job: JobKey,
  from: number,
  to: number,
): Promise<Map<number, ControlCommand>> {
  const commands = new Map<number, ControlCommand>();
  for (const document of await store.touching(job.organisationId, job, from, to)) {
    for (const command of commandsIn(document, commands)) {
      if (command.sequence >= from && command.sequence <= to) commands.set(command.sequence, command);
    }
  }
  return commands;
}

/** The commands that the entry changes: those it decides, then the one it records. */
export function commandsIn(
  { facts, at }: Pick<JobEntryDocument, "facts" | "at">,
  known: ReadonlyMap<number, ControlCommand>,
): ControlCommand[] {
  const decided = (facts.resolutions ?? []).flatMap((resolution) =>
    resolution.sequences.flatMap((sequence) => {
      const command = known.get(sequence);
      return command ? [commandAfter(command, { resolution, at })] : [];
    }),
  );
  return facts.command ? [...decided, commandAfter(facts.command)] : decided;
}

export async function readCommand(store: JobLogStore, job: JobKey, recorded: RecordedCommand): Promise<ControlCommand> {
  if (recorded.status !== "pending") return commandAfter(recorded);
  const { sequence } = recorded;
  return (await readCommands(store, job, sequence, sequence)).get(sequence) ?? recorded;
}
