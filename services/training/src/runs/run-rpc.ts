import { callerOf } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { assertNone, idempotentPrepared } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { deletionMessage } from "../deletions/deletion-message.ts";
import type { RunUses } from "../lineage/run-uses.ts";
import { type PipelineDependencies, pipelineHandlers } from "../pipelines/pipeline-rpc.ts";
import { type ArchiveRunDependencies, archiveRun, restoreRun } from "./archive-run.ts";
import { type CreateRunDependencies, createRun } from "./create-run.ts";
import type { DatasetVersions } from "./dataset-versions.ts";
import { type DeleteRunDependencies, deleteRun } from "./delete-run.ts";
import { findRunDataset } from "./find-run-dataset.ts";
import { datasetViolations, jobViolations, parametersViolations } from "./job-violations.ts";
import { getRun, listAllRuns, listRuns, type ReadRunsDependencies, withJobs } from "./read-runs.ts";
import type { Run } from "./run.ts";
import { datasetMessage, newRunOf, runMessage } from "./run-message.ts";
import { updateRun } from "./update-run.ts";

const defaultLimit = 100;

type Dependencies = CreateRunDependencies &
  ReadRunsDependencies &
  ArchiveRunDependencies &
  DeleteRunDependencies &
  PipelineDependencies & { datasetVersions: Pick<DatasetVersions, "lookUp">; runUses: Pick<RunUses, "ofRun"> };

export function runRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { idempotency, datasetVersions } = dependencies;
  const { createRun: creating } = RunService.method;
  const messageOf = async (run: Run) => runMessage(run, (await withJobs(dependencies.logs, run)).jobs);
  router.service(RunService, {
    ...pipelineHandlers(dependencies),
    createRun: (request, context) =>
      idempotentPrepared(idempotency, creating, { request, context }, async () => {
        const { jobs, parameters, datasets } = request;
        assertNone([...jobViolations(jobs), ...parametersViolations(parameters), ...datasetViolations(datasets)]);
        const caller = callerOf(context);
        const wanted = newRunOf(request, await datasetVersions.lookUp(caller, datasets));
        return async (session) => {
          const created = await createRun(dependencies, caller.organisationId, wanted, session);
          return { run: await messageOf(created) };
        };
      }),
    async updateRun({ pipelineId, runId, ...change }, context) {
      const run = await updateRun(dependencies, callerOf(context).organisationId, { pipelineId, runId }, change);
      return { run: await messageOf(run) };
    },
    async archiveRun({ pipelineId, runId }, context) {
      const run = await archiveRun(dependencies, callerOf(context).organisationId, { pipelineId, runId });
      return { run: await messageOf(run) };
    },
    async restoreRun({ pipelineId, runId }, context) {
      const run = await restoreRun(dependencies, callerOf(context).organisationId, { pipelineId, runId });
      return { run: await messageOf(run) };
    },
    async deleteRun({ pipelineId, runId, dryRun }, context) {
      const { organisationId, permissions } = callerOf(context);
      const outcome = await deleteRun(dependencies, organisationId, { pipelineId, runId, dryRun });
      const uses = await dependencies.runUses.ofRun(organisationId, outcome.id);
      return { result: deletionMessage(outcome, uses, permissions) };
    },
    async getRun(request, context) {
      const { organisationId } = callerOf(context);
      const { run, jobs } = await getRun(dependencies, organisationId, request);
      return { run: runMessage(run, jobs) };
    },
    async findRunDataset(request, context) {
      const { organisationId } = callerOf(context);
      return { dataset: datasetMessage(await findRunDataset(dependencies, organisationId, request)) };
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
