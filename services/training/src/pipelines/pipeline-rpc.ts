import { callerOf } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { assertNone, idempotent } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { deletionMessage } from "../deletions/deletion-message.ts";
import type { RunUses } from "../lineage/run-uses.ts";
import { annotationsViolations } from "./annotations.ts";
import { type ArchivePipelineDependencies, archivePipeline, restorePipeline } from "./archive-pipeline.ts";
import { type CreatePipelineDependencies, createPipeline } from "./create-pipeline.ts";
import { type DeletePipelineDependencies, deletePipeline } from "./delete-pipeline.ts";
import { pipelineMessage } from "./pipeline-message.ts";
import { updatePipeline } from "./update-pipeline.ts";

export interface PipelineDependencies
  extends CreatePipelineDependencies,
    ArchivePipelineDependencies,
    DeletePipelineDependencies {
  idempotency: Pick<IdempotencyStore, "run" | "runPrepared">;
  runUses: Pick<RunUses, "ofPipeline">;
}

type PipelineMethods =
  | "createPipeline"
  | "listPipelines"
  | "getPipeline"
  | "updatePipeline"
  | "archivePipeline"
  | "restorePipeline"
  | "deletePipeline";

const defaultLimit = 100;

/** The part of the service that is about pipelines. */
export function pipelineHandlers(
  dependencies: PipelineDependencies,
): Pick<ServiceImpl<typeof RunService>, PipelineMethods> {
  const { idempotency, pipelines } = dependencies;
  const { createPipeline: creating } = RunService.method;
  return {
    createPipeline: (request, context) =>
      idempotent(idempotency, creating, { request, context }, async (session) => {
        const { name, description, annotations } = request;
        assertNone(annotationsViolations(annotations));
        const wanted = { name, description, annotations: annotations?.text || "{}" };
        const created = await createPipeline(dependencies, callerOf(context).organisationId, wanted, session);
        return { pipeline: pipelineMessage(created) };
      }),
    async listPipelines({ limit = defaultLimit, ...request }, context) {
      const { items, nextCursor } = await pipelines.list(callerOf(context).organisationId, { ...request, limit });
      return { pipelines: items.map(pipelineMessage), nextCursor };
    },
    async getPipeline({ pipelineId }, context) {
      return { pipeline: pipelineMessage(await pipelines.get(callerOf(context).organisationId, pipelineId)) };
    },
    async updatePipeline({ pipelineId, name, description, annotations }, context) {
      assertNone(annotationsViolations(annotations));
      const given = annotations && (annotations.text || "{}");
      const change = { pipelineId, name, description, annotations: given };
      return {
        pipeline: pipelineMessage(await updatePipeline(dependencies, callerOf(context).organisationId, change)),
      };
    },
    async archivePipeline({ pipelineId }, context) {
      const archived = await archivePipeline(dependencies, callerOf(context).organisationId, pipelineId);
      return { pipeline: pipelineMessage(archived) };
    },
    async restorePipeline({ pipelineId }, context) {
      const restored = await restorePipeline(dependencies, callerOf(context).organisationId, pipelineId);
      return { pipeline: pipelineMessage(restored) };
    },
    async deletePipeline({ pipelineId, dryRun }, context) {
      const { organisationId, permissions } = callerOf(context);
      const outcome = await deletePipeline(dependencies, organisationId, { pipelineId, dryRun });
      const uses = await dependencies.runUses.ofPipeline(organisationId, outcome.id);
      return { result: deletionMessage(outcome, uses, permissions) };
    },
  };
}
