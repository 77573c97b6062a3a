import { answerOf } from "@aiplatform/client";
import { useQuery } from "@tanstack/react-query";
import { readLiveRun } from "../api/live-run.ts";
import { platform } from "../api/platform.ts";

/** The metrics of some runs, and the one that is shown first. */
export function useComparableMetrics(runIds: readonly string[]) {
  return useQuery({
    queryKey: ["comparable-metrics", runIds],
    queryFn: async ({ signal }) => {
      // The first run decides: a metric that it lacks has no curve to compare with.
      const [first = ""] = runIds;
      const query = { run_id: [first], metric: "-" };
      const comparison = answerOf(await platform.GET("/platform/run-comparison", { params: { query }, signal }));
      const [run] = comparison.runs;
      if (!run) return { names: [], primary: undefined };
      const path = { pipeline_id: run.pipeline_id, run_id: run.run_id };
      const live = await platform.GET("/pipelines/{pipeline_id}/runs/{run_id}/metrics/", {
        params: { path, query: { max_points: 0 } },
        signal,
      });
      const { metrics, primary } = readLiveRun(answerOf(live));
      const names = Object.keys(metrics).sort();
      return { names, primary: primary && names.includes(primary.name) ? primary.name : names[0] };
    },
  });
}
