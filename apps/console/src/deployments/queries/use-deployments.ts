import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type Deployment, platform, streams } from "../../api/platform.ts";
import { useEvents } from "../../api/use-events.ts";

const lookMs = 5_000;
const servingMs = 2_000;

/** The newest deployments. */
export function useDeployments() {
  return useQuery({
    queryKey: ["deployments"],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const query = { limit: 200, order_by: "created_at desc" };
      return pageOf(await platform.GET("/platform/deployments", { params: { query }, signal })).items;
    },
  });
}

/** One deployment, followed by its stream. */
export function useDeployment(deployment_id: string) {
  const queryClient = useQueryClient();
  const queryKey = ["deployment", deployment_id];
  const deployment = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const params = { path: { deployment_id } };
      return answerOf(await platform.GET("/platform/deployments/{deployment_id}", { params, signal }));
    },
  });
  useEvents<Deployment>({
    key: deployment_id,
    open: (signal) =>
      streams.events("/platform/deployments/{deployment_id}/stream", { path: { deployment_id } }, signal),
    onEvent: (next) => {
      queryClient.setQueryData(queryKey, next);
      void queryClient.invalidateQueries({ queryKey: ["rollouts", deployment_id] });
      void queryClient.invalidateQueries({ queryKey: ["deployment-versions", deployment_id] });
    },
  });
  return deployment;
}

/** What serves at this moment. */
export function useServingState(deployment_id: string) {
  return useQuery({
    queryKey: ["serving", deployment_id],
    refetchInterval: servingMs,
    queryFn: async ({ signal }) => {
      const params = { path: { deployment_id } };
      return answerOf(await platform.GET("/platform/deployments/{deployment_id}/serving", { params, signal }));
    },
  });
}

/** The newest versions of a deployment. */
export function useDeploymentVersions(deployment_id: string) {
  return useQuery({
    queryKey: ["deployment-versions", deployment_id],
    queryFn: async ({ signal }) => {
      const params = { path: { deployment_id }, query: { limit: 100 } };
      return pageOf(await platform.GET("/platform/deployments/{deployment_id}/versions", { params, signal })).items;
    },
  });
}

/** The newest rollouts of a deployment. */
export function useRollouts(deployment_id: string) {
  return useQuery({
    queryKey: ["rollouts", deployment_id],
    queryFn: async ({ signal }) => {
      const params = { path: { deployment_id }, query: { limit: 50 } };
      return pageOf(await platform.GET("/platform/deployments/{deployment_id}/rollouts", { params, signal })).items;
    },
  });
}

/** What can be asked of a deployment. */
export type DeploymentAction =
  | { kind: "rollout"; model_version_id: string }
  | { kind: "rollback"; deployment_version_id: string }
  | { kind: "canary"; deployment_version_id?: string; model_version_id?: string; percent: number }
  | { kind: "end-canary" | "stop" | "start" };

/** Asks something of a deployment. The answer is what is wanted; the stream says what became of it. */
export function useDeploymentAction(deployment_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (action: DeploymentAction) => answerOf(await request(deployment_id, action)),
    onSuccess: (deployment) => {
      queryClient.setQueryData(["deployment", deployment_id], deployment);
      for (const key of ["rollouts", "deployment-versions", "serving"])
        void queryClient.invalidateQueries({ queryKey: [key, deployment_id] });
    },
  });
}

function request(deployment_id: string, action: DeploymentAction) {
  const params = { path: { deployment_id } };
  switch (action.kind) {
    case "rollout": {
      const { model_version_id } = action;
      return platform.POST("/platform/deployments/{deployment_id}/rollouts", { params, body: { model_version_id } });
    }
    case "rollback": {
      const { deployment_version_id } = action;
      return platform.POST("/platform/deployments/{deployment_id}/rollback", {
        params,
        body: { deployment_version_id },
      });
    }
    case "canary": {
      const { kind: _, ...body } = action;
      return platform.PUT("/platform/deployments/{deployment_id}/canary", { params, body });
    }
    case "end-canary":
      return platform.DELETE("/platform/deployments/{deployment_id}/canary", { params });
    case "stop":
      return platform.POST("/platform/deployments/{deployment_id}/stop", { params });
    case "start":
      return platform.POST("/platform/deployments/{deployment_id}/start", { params });
  }
}
