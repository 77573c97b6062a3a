import { NotFoundError } from "../errors.ts";
import type { JobAddress, JobDirectory } from "../jobs/job-directory.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { readCommand } from "./command-view.ts";
import type { ControlCommand } from "./control-command.ts";

/** How long to wait for a final status, and what ends the waiting early. */
export interface Waiting {
  milliseconds: number;
  signal: AbortSignal;
}

/** One command as it stands, or as it stands once it is decided. Throws NotFoundError. */
export async function getControlCommand(
  { directory, logs, logStore }: { directory: JobDirectory; logs: JobLogs; logStore: JobLogStore },
  organisationId: string,
  { commandId, ...address }: JobAddress & { commandId: string },
  { milliseconds, signal }: Waiting,
): Promise<ControlCommand> {
  const found = await directory.find(organisationId, address);
  const recorded = found && (await logStore.byCommandId(organisationId, found.reference, commandId))?.facts.command;
  if (!found || !recorded) throw new NotFoundError();
  if (milliseconds === 0 || recorded.status !== "pending") return readCommand(logStore, found.reference, recorded);
  // Followed before it is read: an outcome in between is not missed.
  using follower = await logs.follow(found.reference);
  const end = performance.now() + milliseconds;
  for (;;) {
    const command = await readCommand(logStore, found.reference, recorded);
    const left = end - performance.now();
    if (command.status !== "pending" || left <= 0 || signal.aborted) return command;
    while (performance.now() < end && !signal.aborted) {
      const news = await follower.next(end - performance.now(), signal);
      const decided = news.some(({ job }) => job.pending.bySequence(recorded.sequence) === undefined);
      if (decided) break;
    }
  }
}
