import { callerOf } from "@aiplatform/caller-identity";
import {
  type CompareRunsRequest,
  type CompareRunsResponse,
  CompareRunsResponseSchema,
  ComparisonAxis,
  RunComparisonService,
} from "@aiplatform/contract/aiplatform/training/v1/run_comparisons";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { jobStateNumbers } from "../job-log/job-numbers.ts";
import { type CompareRunsDependencies, type Comparison, type ComparisonQuery, compareRuns } from "./compare-runs.ts";

const defaultMaxPoints = 200;

export function comparisonRoutes(router: ConnectRouter, dependencies: CompareRunsDependencies): void {
  router.service(RunComparisonService, {
    async compareRuns(request, context) {
      const query = queryOf(request);
      return comparisonMessage(query, await compareRuns(dependencies, callerOf(context).organisationId, query));
    },
  });
}

function queryOf({ runId, metric, jobName, axis, maxPoints = defaultMaxPoints }: CompareRunsRequest): ComparisonQuery {
  const of = axis === ComparisonAxis.SECONDS ? "seconds" : "step";
  return { runIds: runId, metric, jobName, axis: of, maxPoints };
}

function comparisonMessage({ metric, axis }: ComparisonQuery, comparison: Comparison): CompareRunsResponse {
  return create(CompareRunsResponseSchema, {
    comparison: {
      metric,
      axis: axis === "seconds" ? ComparisonAxis.SECONDS : ComparisonAxis.STEP,
      runs: comparison.runs.map(({ run, job, jobName, x, y, sampled }) => ({
        ...{ runId: run.id, pipelineId: run.pipelineId, name: run.name, jobName },
        ...{ state: jobStateNumbers[job.state], x, y, sampled },
      })),
      differences: comparison.differences.map(({ path, values }) => ({
        path,
        values: values.map((text = "null") => ({ text })),
      })),
      truncated: comparison.truncated,
    },
  });
}
