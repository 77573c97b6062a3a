import { NotFoundError } from "../errors.ts";
import type { JobAddress, JobDirectory } from "../jobs/job-directory.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import { readCommands } from "./command-view.ts";
import type { CommandStatus, ControlCommand } from "./control-command.ts";

/** Which commands. */
export interface CommandSelection {
  afterSequence: number;
  status?: CommandStatus;
  limit: number;
}

const WINDOW = 1_000;

/** A job's commands by sequence. Throws NotFoundError. */
export async function listControlCommands(
  { directory, logStore }: { directory: JobDirectory; logStore: JobLogStore },
  organisationId: string,
  address: JobAddress,
  { afterSequence, status, limit }: CommandSelection,
): Promise<ControlCommand[]> {
  const found = await directory.find(organisationId, address);
  if (!found) throw new NotFoundError();
  const chosen: ControlCommand[] = [];
  // Sequences have no gaps: a window that comes back empty is the end.
  for (let from = afterSequence + 1; chosen.length < limit; from += WINDOW) {
    const wanted = status === undefined ? Math.min(WINDOW, limit - chosen.length) : WINDOW;
    const commands = await readCommands(logStore, found.reference, from, from + wanted - 1);
    if (commands.size === 0) break;
    chosen.push(...[...commands.values()].filter((command) => status === undefined || command.status === status));
  }
  return chosen.slice(0, limit).sort((left, right) => left.sequence - right.sequence);
}
