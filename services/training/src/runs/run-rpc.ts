import { callerOf } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { IdempotencyStore } from "@aiplatform/document-store";
import { assertNone, idempotent } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { createPipeline } from "../pipelines/create-pipeline.ts";
import { pipelineMessage } from "../pipelines/pipeline-message.ts";
import { type CreateRunDependencies, createRun } from "./create-run.ts";
import { jobViolations } from "./job-violations.ts";
import { getRun, listAllRuns, listRuns, type ReadRunsDependencies, withJobs } from "./read-runs.ts";
import { jobDeclarationOf, runMessage } from "./run-message.ts";

const defaultLimit = 100;

type Dependencies = CreateRunDependencies & ReadRunsDependencies & { idempotency: Pick<IdempotencyStore, "run"> };

export function runRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { idempotency } = dependencies;
  const { createPipeline: creatingPipeline, createRun: creatingRun } = RunService.method;
  router.service(RunService, {
    createPipeline: (request, context) =>
      idempotent(idempotency, creatingPipeline, { request, context }, async (session) => {
        const { organisationId } = callerOf(context);
        return { pipeline: pipelineMessage(await createPipeline(dependencies, organisationId, request, session)) };
      }),
    async listPipelines({ limit = defaultLimit, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.pipelines.list(organisationId, { ...request, limit });
      return { pipelines: items.map(pipelineMessage), nextCursor };
    },
    async getPipeline({ pipelineId }, context) {
      const { organisationId } = callerOf(context);
      return { pipeline: pipelineMessage(await dependencies.pipelines.get(organisationId, pipelineId)) };
    },
    createRun: (request, context) =>
      idempotent(idempotency, creatingRun, { request, context }, async (session) => {
        const { pipelineId, name, jobs } = request;
        assertNone(jobViolations(jobs));
        const wanted = { pipelineId, name, jobs: jobs.map(jobDeclarationOf) };
        const created = await createRun(dependencies, callerOf(context).organisationId, wanted, session);
        const { run, jobs: snapshots } = await withJobs(dependencies.logs, created);
        return { run: runMessage(run, snapshots) };
      }),
    async getRun(request, context) {
      const { organisationId } = callerOf(context);
      const { run, jobs } = await getRun(dependencies, organisationId, request);
      return { run: runMessage(run, jobs) };
    },
    async listRuns({ limit, ...request }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { ...request, limit: limit || defaultLimit };
      const { items, nextCursor } = await listRuns(dependencies, organisationId, wanted);
      return { runs: items.map(({ run, jobs }) => runMessage(run, jobs)), nextCursor };
    },
    async listAllRuns({ limit = defaultLimit, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await listAllRuns(dependencies, organisationId, { ...request, limit });
      return { runs: items.map(({ run, jobs }) => runMessage(run, jobs)), nextCursor };
    },
  });
}
