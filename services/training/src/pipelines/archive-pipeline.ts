import { type ActiveJobsDependencies, activeJobsOfPipeline } from "../job-log/active-jobs.ts";
import { type Pipeline, PipelineActiveError } from "./pipeline.ts";
import { pipelineArchived, pipelineRestored } from "./pipeline-events.ts";
import type { ChangePipelineDependencies } from "./update-pipeline.ts";

export type ArchivePipelineDependencies = ChangePipelineDependencies & ActiveJobsDependencies;

/** Archives a pipeline; one that is archived already stays as it is. @throws PipelineNotFoundError, PipelineActiveError */
export function archivePipeline(
  dependencies: ArchivePipelineDependencies,
  organisationId: string,
  pipelineId: string,
): Promise<Pipeline> {
  const { pipelines, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const pipeline = await pipelines.claim(organisationId, pipelineId, session);
    if (pipeline.archivedAt) return pipeline;
    const active = await activeJobsOfPipeline(dependencies, organisationId, pipelineId);
    if (active.length > 0) throw new PipelineActiveError(active);
    const archivedAt = clock();
    const archived = { ...pipeline, archivedAt, updatedAt: archivedAt };
    await pipelines.update(organisationId, archived, session);
    await outbox.stage(session, pipelineArchived(organisationId, archived, archivedAt));
    return archived;
  });
}

/** Takes a pipeline out of the archive; one that is not there stays as it is. @throws PipelineNotFoundError */
export function restorePipeline(
  { pipelines, outbox, transaction, clock }: ChangePipelineDependencies,
  organisationId: string,
  pipelineId: string,
): Promise<Pipeline> {
  return transaction(async (session) => {
    const { archivedAt, ...pipeline } = await pipelines.claim(organisationId, pipelineId, session);
    if (!archivedAt) return pipeline;
    const restored = { ...pipeline, updatedAt: clock() };
    await pipelines.update(organisationId, restored, session);
    await outbox.stage(session, pipelineRestored(organisationId, restored, restored.updatedAt));
    return restored;
  });
}
