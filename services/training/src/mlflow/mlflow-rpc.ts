import { callerOf } from "@aiplatform/caller-identity";
import { MlflowService } from "@aiplatform/contract/aiplatform/training/v1/mlflow";
import type { ConnectRouter } from "@connectrpc/connect";
import type { NewestPoint } from "../run-metrics/final-metrics.ts";
import { archiveRun, restoreRun } from "../runs/archive-run.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import { getRun, withJobs } from "../runs/read-runs.ts";
import { updateRun } from "../runs/update-run.ts";
import { type CreateMlflowRunDependencies, createMlflowRun } from "./create-mlflow-run.ts";
import { type ExperimentDependencies, experimentHandlers } from "./experiment-handlers.ts";
import type { LogBatchDependencies } from "./log-batch.ts";
import { logHandlers } from "./log-handlers.ts";
import { type MetricHistoryDependencies, metricHistory } from "./metric-history.ts";
import { metricMessage, mlflowRunMessage, runInfoMessage } from "./mlflow-message.ts";
import { statusNamed } from "./run-status.ts";
import { maxPageSize, type SearchRunsDependencies, searchRuns, viewOf } from "./search-runs.ts";
import { type SetRunStatusDependencies, setRunStatus } from "./set-run-status.ts";
import { assertMayWrite } from "./write-permission.ts";

type Dependencies = ExperimentDependencies &
  CreateMlflowRunDependencies &
  SearchRunsDependencies &
  LogBatchDependencies &
  SetRunStatusDependencies &
  MetricHistoryDependencies & { newestPoints: (found: DirectoryEntry) => Promise<NewestPoint[]> };

const defaultHistory = 25_000;

export function mlflowRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { directory, logs, newestPoints } = dependencies;
  router.service(MlflowService, {
    ...experimentHandlers(dependencies),
    ...logHandlers(dependencies),
    async createMlflowRun(request, context) {
      const run = await createMlflowRun(dependencies, callerOf(context).organisationId, request);
      return { run: mlflowRunMessage(run, (await withJobs(logs, run)).jobs, []) };
    },
    async getMlflowRun({ runId }, context) {
      const { organisationId } = callerOf(context);
      const { run, jobs } = await getRun(dependencies, organisationId, { runId });
      const points = await newestPoints(await directory.get(organisationId, { runId }));
      return { run: mlflowRunMessage(run, jobs, points.map(metricMessage)) };
    },
    async updateMlflowRun({ runId, status, runName }, context) {
      const caller = callerOf(context);
      const { organisationId } = caller;
      if (runName !== "") assertMayWrite(caller);
      const reported = statusNamed(status);
      if (reported) await setRunStatus(dependencies, organisationId, runId, reported);
      if (runName !== "") await updateRun(dependencies, organisationId, { runId }, { name: runName });
      const { run, jobs } = await getRun(dependencies, organisationId, { runId });
      return { runInfo: runInfoMessage(run, jobs) };
    },
    async deleteMlflowRun({ runId }, context) {
      await archiveRun(dependencies, callerOf(context).organisationId, { runId });
      return {};
    },
    async restoreMlflowRun({ runId }, context) {
      await restoreRun(dependencies, callerOf(context).organisationId, { runId });
      return {};
    },
    async searchMlflowRuns({ maxResults = maxPageSize, runViewType, ...query }, context) {
      const wanted = { ...query, maxResults, viewType: viewOf(runViewType) };
      const { items, nextCursor } = await searchRuns(dependencies, callerOf(context).organisationId, wanted);
      return {
        runs: items.map(({ run, jobs, metrics }) => mlflowRunMessage(run, jobs, [...metrics])),
        nextPageToken: nextCursor,
      };
    },
    // Nothing creates a logged model: the contract says so to those who try.
    searchMlflowLoggedModels: () => ({}),
    async getMlflowMetricHistory({ maxResults = defaultHistory, pageToken, ...metric }, context) {
      const wanted = { ...metric, maxResults, afterSequence: Number(pageToken) };
      const { points, nextSequence } = await metricHistory(dependencies, callerOf(context).organisationId, wanted);
      return { metrics: points.map(metricMessage), nextPageToken: nextSequence === undefined ? "" : `${nextSequence}` };
    },
  });
}
