import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../api/page.ts";
import { platform } from "../api/platform.ts";

const lookMs = 10_000;

/** The newest models. */
export function useModels() {
  return useQuery({
    queryKey: ["models"],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const query = { limit: 200, order_by: "created_at desc" };
      return pageOf(await platform.GET("/platform/models", { params: { query }, signal })).items;
    },
  });
}

/** One model. */
export function useModel(model_id: string | undefined) {
  return useQuery({
    queryKey: ["model", model_id],
    enabled: model_id !== undefined,
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { model_id: model_id ?? "" } };
      return answerOf(await platform.GET("/platform/models/{model_id}", { params, signal }));
    },
  });
}

/** The newest versions of a model. */
export function useModelVersions(model_id: string | undefined) {
  return useQuery({
    queryKey: ["model-versions", model_id],
    enabled: model_id !== undefined,
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { model_id: model_id ?? "" }, query: { limit: 100 } };
      return pageOf(await platform.GET("/platform/models/{model_id}/versions", { params, signal })).items;
    },
  });
}

/** Deploys the newest ready version of a model. */
export function useDeploy() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (model_id: string) => answerOf(await platform.POST("/deployments/", { body: { model_id } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["deployments"] }),
  });
}
