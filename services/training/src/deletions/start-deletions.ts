import { type Claim, LeaseLostError } from "@aiplatform/document-store";
import { ClaimingWorker, type DomainPlatform } from "@aiplatform/service-kit";
import { type Deletion, nextPassAfter } from "./deletion.ts";
import type { DeletionStore } from "./deletion-store.ts";
import { RunData } from "./run-data.ts";

export interface DeletionDependencies extends Pick<DomainPlatform, "store" | "clock"> {
  deletions: DeletionStore;
  /** Deletes some runs of the pipeline, in one transaction. Answers how many; 0: it has none. */
  deleteSomeRuns: (organisationId: string, pipelineId: string) => Promise<number>;
}

export interface DeletionOptions {
  /** Time after which what had begun before a deletion has ended, ms. */
  settleMs: number;
}

/** The deletion of a killed process goes on after this time, ms. */
const leaseMs = 10_000;
/** Between two looks while nothing is due, ms: a deletion begins by a call, and what waits can wait longer. */
const idlePauseMs = 15_000;
/** Deletions that one process works on at once; what is removed meanwhile shares the database with the calls. */
const concurrency = 2;

/** Removes what deleted pipelines and runs have left. */
export function startDeletions(
  platform: Pick<DomainPlatform, "logger" | "meter" | "tracer">,
  dependencies: DeletionDependencies,
  { settleMs }: DeletionOptions,
): ClaimingWorker<Deletion> {
  const data = new RunData(dependencies.store);
  return new ClaimingWorker(platform, {
    name: "deletion",
    leases: dependencies.deletions.leases,
    leaseMs,
    concurrency,
    maxPauseMs: Math.min(idlePauseMs, settleMs),
    run: (claim, signal) =>
      claim.work.kind === "pipeline"
        ? deleteRuns(dependencies, claim, signal)
        : removeData({ ...dependencies, data, settleMs }, claim, signal),
  });
}

/** A process that is killed leaves the other runs to the next. */
async function deleteRuns(
  { deletions, deleteSomeRuns }: DeletionDependencies,
  claim: Claim<Deletion>,
  signal: AbortSignal,
): Promise<void> {
  const { organisationId, pipelineId } = claim.work;
  while ((await deleteSomeRuns(organisationId, pipelineId)) > 0) signal.throwIfAborted();
  await deletions.end(claim);
}

async function removeData(
  { deletions, data, settleMs, clock }: DeletionDependencies & DeletionOptions & { data: RunData },
  claim: Claim<Deletion>,
  signal: AbortSignal,
): Promise<void> {
  const { organisationId, id, deletedAt } = claim.work;
  const beganAt = clock();
  const { isUnpublished } = await data.remove(organisationId, id, signal);
  const next = nextPassAfter({ deletedAt, beganAt, isUnpublished, settleMs });
  if (!next) return deletions.end(claim);
  const afterMs = Math.max(0, next.getTime() - clock().getTime());
  if (!(await deletions.leases.release(claim, { afterMs, failures: 0 }))) throw new LeaseLostError();
}
