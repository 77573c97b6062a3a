import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { readLiveRun } from "../api/live-run.ts";
import { platform } from "../api/platform.ts";

/** The metrics that any of some runs has, at most ten, and the one that is shown first. */
export function useComparableMetrics(runIds: readonly string[]) {
  return useQuery({
    queryKey: ["comparable-metrics", runIds],
    queryFn: async ({ signal }) => {
      const query = { run_id: [...runIds], metric: "-" };
      const comparison = answerOf(await platform.GET("/platform/run-comparison", { params: { query }, signal }));
      const runs = await Promise.all(
        comparison.runs.map(async ({ pipeline_id, run_id }) => {
          const params = { path: { pipeline_id, run_id }, query: { max_points: 0 } };
          const live = await platform.GET("/pipelines/{pipeline_id}/runs/{run_id}/metrics/", { params, signal });
          return readLiveRun(answerOf(live));
        }),
      );
      const names = [...new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
      const primary = runs.flatMap(({ primary }) => primary?.name ?? []).find((name) => names.includes(name));
      return { names, primary: primary ?? names[0] };
    },
  });
}
