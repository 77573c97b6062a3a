import { answerOf, type components } from "@aiplatform/client";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type JobAddress, platform } from "../../api/platform.ts";

type NewCommand = components["schemas"]["CreateTrainingControlCommandRequest"];

/** What a command would lead to; asked again whenever it is another one. */
export function usePreview(job: JobAddress, body: Omit<NewCommand, "idempotency_key">, isEnabled: boolean) {
  return useQuery({
    queryKey: ["preview", job.run_id, job.job_name, body],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      answerOf(
        await platform.POST("/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/preview", {
          params: { path: { ...job } },
          body,
          signal,
        }),
      ),
  });
}

/** Records a command. The stream of commands shows what becomes of it. */
export function useSendCommand(job: JobAddress) {
  return useMutation({
    mutationFn: async (body: NewCommand) =>
      answerOf(
        await platform.POST("/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands", {
          params: { path: { ...job } },
          body,
        }),
      ),
  });
}
