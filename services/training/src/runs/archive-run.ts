import { type ActiveJobsDependencies, activeAmong } from "../job-log/active-jobs.ts";
import { jobsOf, type Run, RunActiveError } from "./run.ts";
import { runArchived, runRestored } from "./run-events.ts";
import type { RunAddress } from "./run-store.ts";
import type { ChangeRunDependencies } from "./update-run.ts";

export type ArchiveRunDependencies = ChangeRunDependencies & Pick<ActiveJobsDependencies, "logs">;

/** Archives a run; one that is archived already stays as it is. @throws RunNotFoundError, RunActiveError */
export function archiveRun(
  dependencies: ArchiveRunDependencies,
  organisationId: string,
  address: RunAddress,
): Promise<Run> {
  const { runs, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const run = await runs.claim(organisationId, address, session);
    if (run.archivedAt) return run;
    const active = await activeAmong(dependencies, jobsOf(run));
    if (active.length > 0) throw new RunActiveError(active);
    const archivedAt = clock();
    const archived = { ...run, archivedAt, updatedAt: archivedAt };
    await runs.update(organisationId, archived, session);
    await outbox.stage(session, runArchived(archived));
    return archived;
  });
}

/** Takes a run out of the archive; one that is not there stays as it is. @throws RunNotFoundError */
export function restoreRun(
  { runs, outbox, transaction, clock }: ChangeRunDependencies,
  organisationId: string,
  address: RunAddress,
): Promise<Run> {
  return transaction(async (session) => {
    const { archivedAt, ...run } = await runs.claim(organisationId, address, session);
    if (!archivedAt) return run;
    const restored = { ...run, updatedAt: clock() };
    await runs.update(organisationId, restored, session);
    await outbox.stage(session, runRestored(restored));
    return restored;
  });
}
