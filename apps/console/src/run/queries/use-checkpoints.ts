import { useQuery } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type JobAddress, platform } from "../../api/platform.ts";

const lookMs = 10_000;

/** The newest checkpoints of a job. */
export function useCheckpoints(job: JobAddress) {
  return useQuery({
    queryKey: ["checkpoints", job.run_id, job.job_name],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const path = "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints";
      return pageOf(await platform.GET(path, { params: { path: { ...job }, query: { limit: 100 } }, signal })).items;
    },
  });
}
