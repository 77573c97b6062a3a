import { decodeCursor, encodeCursor, InvalidCursorError, type Page } from "@aiplatform/document-store";
import type { Checkpoint } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";

export interface ListCheckpointsDependencies {
  directory: JobDirectory;
  logs: JobLogs;
}

/**
 * A page of a job's checkpoints, newest first.
 * @throws JobNotFoundError, InvalidCursorError
 */
export async function listCheckpoints(
  { directory, logs }: ListCheckpointsDependencies,
  organisationId: string,
  address: JobAddress,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<Page<Checkpoint>> {
  const { reference } = await directory.get(organisationId, address);
  const { checkpoints } = await logs.currentState(reference);
  const end = cursor === "" ? checkpoints.length : indexOf(checkpoints, cursor);
  const start = Math.max(0, end - limit);
  const items = checkpoints.slice(start, end).reverse();
  const last = items.at(-1);
  return { items, nextCursor: last && start > 0 ? encodeCursor([last.id]) : "" };
}

/** Checkpoints are only ever added, so an id says where the page before ended. */
function indexOf(checkpoints: readonly Checkpoint[], cursor: string): number {
  const [id] = decodeCursor(cursor, ["string"]);
  const index = checkpoints.findIndex((checkpoint) => checkpoint.id === id);
  if (index < 0) throw new InvalidCursorError();
  return index;
}
