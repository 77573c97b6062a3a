import { answerOf } from "@aiplatform/client";
import { useQueries } from "@tanstack/react-query";
import { numberOf } from "../api/number-of.ts";
import { pageOf } from "../api/page.ts";
import { platform, type Run, type RunComparison } from "../api/platform.ts";
import { listQuery, useList } from "../api/use-list.ts";
import type { RunsSearch } from "./runs-search.ts";
import { type SparklineBatch, sparklineBatches } from "./sparkline-batches.ts";

const pageSize = 25;
const lookMs = 5_000;

/** The runs that the address asks for, page after page; states are looked at again every five seconds. */
export function useRuns(search: RunsSearch) {
  return useList<Run>({
    key: ["runs", search.filter, search.order],
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) => {
      const query = listQuery(pageSize, cursor, search);
      return pageOf(await platform.GET("/platform/runs", { params: { query }, signal }));
    },
  });
}

/** The curve of a run's primary metric, small. */
export interface RunCurve {
  metric: string;
  x: number[];
  y: number[];
}

/** The curve of each run's primary metric by the run's id, read ten runs at a time. */
export function useSparklines(runs: readonly Run[]): ReadonlyMap<string, RunCurve> {
  return useQueries({
    queries: sparklineBatches(runs).map((batch) => ({
      queryKey: ["sparklines", batch.metric, batch.jobName, batch.runIds],
      refetchInterval: lookMs * 2,
      queryFn: ({ signal }: { signal: AbortSignal }) => readComparison(batch, signal),
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) =>
          (data?.runs ?? []).map(({ run_id, x, y }): [string, RunCurve] => [
            run_id,
            { metric: data?.metric ?? "", x, y: y.map(numberOf) },
          ]),
        ),
      ),
  });
}

async function readComparison(
  { metric, jobName, runIds }: SparklineBatch,
  signal: AbortSignal,
): Promise<RunComparison> {
  const query = { run_id: [...runIds], metric, job_name: jobName, max_points: 60 };
  return answerOf(await platform.GET("/platform/run-comparison", { params: { query }, signal }));
}
