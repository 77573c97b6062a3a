import type { ClientSession } from "@aiplatform/document-store";
import { type DeletionOutcome, impactMessage } from "../deletions/deletion.ts";
import type { DeletionStore } from "../deletions/deletion-store.ts";
import { type ActiveJobsDependencies, activeJobsOfPipeline } from "../job-log/active-jobs.ts";
import type { TrainingQuotas } from "../training-quotas.ts";
import { PipelineActiveError } from "./pipeline.ts";
import { pipelineDeleted } from "./pipeline-events.ts";
import type { ChangePipelineDependencies } from "./update-pipeline.ts";

export interface DeletePipelineDependencies extends ActiveJobsDependencies, ChangePipelineDependencies {
  runs: { countOf(organisationId: string, pipelineId: string, session: ClientSession): Promise<number> };
  deletions: DeletionStore;
  quotas: TrainingQuotas;
  /** Called when there is data to remove. */
  signalDeletion: () => void;
}

/**
 * Deletes a pipeline; its runs and their data follow in the background. `dryRun` says what would be, and changes nothing.
 * @throws PipelineNotFoundError, PipelineActiveError
 */
export async function deletePipeline(
  dependencies: DeletePipelineDependencies,
  organisationId: string,
  { pipelineId, dryRun }: { pipelineId: string; dryRun: boolean },
): Promise<DeletionOutcome> {
  const { pipelines, runs, deletions, quotas, outbox, transaction, clock, signalDeletion } = dependencies;
  const outcome = await transaction(async (session) => {
    const pipeline = await (dryRun
      ? pipelines.get(organisationId, pipelineId, session)
      : pipelines.claim(organisationId, pipelineId, session));
    const { id } = pipeline;
    const activeJobs = await activeJobsOfPipeline(dependencies, organisationId, id);
    const impact = { runs: await runs.countOf(organisationId, id, session), activeJobs };
    const message = impactMessage({ kind: "pipeline", ...impact, dryRun });
    if (dryRun) return { id, hardDeleted: false, ...impact, message };
    if (activeJobs.length > 0) throw new PipelineActiveError(activeJobs);
    const deletedAt = clock();
    await pipelines.delete(organisationId, id, session);
    await deletions.insert(
      organisationId,
      [{ id, kind: "pipeline", organisationId, pipelineId: id, deletedAt }],
      session,
    );
    await quotas.release(organisationId, { pipelines: 1 }, session);
    await outbox.stage(session, pipelineDeleted(organisationId, pipeline, deletedAt));
    return { id, hardDeleted: true, ...impact, message };
  });
  if (outcome.hardDeleted) signalDeletion();
  return outcome;
}
