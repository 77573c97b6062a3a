import { callerOf } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { createPipeline } from "../pipelines/create-pipeline.ts";
import { type CreateRunDependencies, createRun } from "./create-run.ts";
import { asItStands, getRun, listRuns, type ReadRunsDependencies } from "./read-runs.ts";
import { jobDeclarationOf, runMessage } from "./run-message.ts";

const DEFAULT_LIMIT = 100;

/** Serves RunService. */
export function runRoutes(router: ConnectRouter, dependencies: CreateRunDependencies & ReadRunsDependencies): void {
  router.service(RunService, {
    async createPipeline({ pipelineId, name }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { name, ...chosenId(pipelineId) };
      const { createdAt, ...pipeline } = await createPipeline(dependencies, organisationId, wanted);
      return { pipeline: { ...pipeline, createdAt: timestampFromDate(createdAt) } };
    },
    async createRun({ pipelineId, runId, name, jobs }, context) {
      const { organisationId } = callerOf(context);
      const wanted = {
        pipelineId: pipelineId.toLowerCase(),
        name,
        jobs: jobs.map(jobDeclarationOf),
        ...chosenId(runId),
      };
      const created = await createRun(dependencies, organisationId, wanted);
      const { run, jobs: snapshots } = await asItStands(dependencies.logs, created);
      return { run: runMessage(run, snapshots) };
    },
    async getRun({ runId }, context) {
      const { organisationId } = callerOf(context);
      const { run, jobs } = await getRun(dependencies, organisationId, runId.toLowerCase());
      return { run: runMessage(run, jobs) };
    },
    async listRuns({ pipelineId, limit }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { pipelineId: pipelineId.toLowerCase(), limit: limit || DEFAULT_LIMIT };
      const found = await listRuns(dependencies, organisationId, wanted);
      return { runs: found.map(({ run, jobs }) => runMessage(run, jobs)) };
    },
  });
}

function chosenId(id: string): { id?: string } {
  return id === "" ? {} : { id: id.toLowerCase() };
}
