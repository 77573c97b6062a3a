import type { ClientSession, Outbox } from "@aiplatform/document-store";
import type { DomainStores } from "@aiplatform/service-kit";
import { type DeletionOutcome, impactMessage } from "../deletions/deletion.ts";
import type { DeletionStore } from "../deletions/deletion-store.ts";
import { type ActiveJobsDependencies, activeAmong } from "../job-log/active-jobs.ts";
import type { DeletedRunStore } from "../lineage/deleted-run-store.ts";
import type { TrainingQuotas } from "../training-quotas.ts";
import { bytesOfRun, jobsOf, type Run, RunActiveError } from "./run.ts";
import { runDeleted } from "./run-events.ts";
import type { RunAddress, RunStore } from "./run-store.ts";

export interface DeleteRunsDependencies {
  runs: RunStore;
  deletions: DeletionStore;
  deletedRuns: Pick<DeletedRunStore, "insert">;
  quotas: TrainingQuotas;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
}

/** Deletes those of the runs that are still there; their data follows in the background. */
export async function deleteRunsIn(
  { runs, deletions, deletedRuns, quotas, outbox, clock }: DeleteRunsDependencies,
  organisationId: string,
  wanted: readonly Run[],
  session: ClientSession,
): Promise<void> {
  const deletedAt = clock();
  const deleted: Run[] = [];
  for (const run of wanted) if (await runs.delete(organisationId, run.id, session)) deleted.push(run);
  const bytes = deleted.reduce((sum, run) => sum + bytesOfRun(run), 0);
  await quotas.release(organisationId, { runs: deleted.length, run_configuration_bytes: bytes }, session);
  const about = ({ id, pipelineId }: Run) => ({ id, kind: "run" as const, organisationId, pipelineId, deletedAt });
  await deletions.insert(organisationId, deleted.map(about), session);
  await deletedRuns.insert(organisationId, deleted, session);
  for (const run of deleted) await outbox.stage(session, runDeleted(run, deletedAt));
}

/** Runs of a pipeline that are deleted by one transaction. */
const runsAtOnce = 50;

export interface DeleteSomeRunsDependencies extends DeleteRunsDependencies, Pick<DomainStores, "transaction"> {
  /** Has all replicas forget that they know the run. */
  forgetRun: (runId: string) => void;
}

/** Deletes some runs of a pipeline that is deleted. Answers how many it found; 0: it has none. */
export async function deleteSomeRuns(
  dependencies: DeleteSomeRunsDependencies,
  organisationId: string,
  pipelineId: string,
): Promise<number> {
  const { runs, transaction, forgetRun } = dependencies;
  const { items } = await runs.list(organisationId, { pipelineId }, { limit: runsAtOnce, cursor: "" });
  if (items.length === 0) return 0;
  await transaction((session) => deleteRunsIn(dependencies, organisationId, items, session));
  for (const { id } of items) forgetRun(id);
  return items.length;
}

export interface DeleteRunDependencies extends DeleteSomeRunsDependencies, Pick<ActiveJobsDependencies, "logs"> {
  /** Called when there is data to remove. */
  signalDeletion: () => void;
}

/**
 * Deletes a run; its data follows in the background. `dryRun` says what would be, and changes nothing.
 * @throws RunNotFoundError, RunActiveError
 */
export async function deleteRun(
  dependencies: DeleteRunDependencies,
  organisationId: string,
  { dryRun, ...address }: RunAddress & { dryRun: boolean },
): Promise<DeletionOutcome> {
  const { runs, transaction, forgetRun, signalDeletion } = dependencies;
  const outcome = await transaction(async (session) => {
    const run = await (dryRun ? runs.get(organisationId, address) : runs.claim(organisationId, address, session));
    const activeJobs = await activeAmong(dependencies, jobsOf(run));
    const message = impactMessage({ kind: "run", runs: 1, activeJobs, dryRun });
    if (dryRun) return { id: run.id, hardDeleted: false, runs: 1, activeJobs, message };
    if (activeJobs.length > 0) throw new RunActiveError(activeJobs);
    await deleteRunsIn(dependencies, organisationId, [run], session);
    return { id: run.id, hardDeleted: true, runs: 1, activeJobs, message };
  });
  if (outcome.hardDeleted) {
    forgetRun(outcome.id);
    signalDeletion();
  }
  return outcome;
}
