import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { platform, type WorkspaceSettings } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { listQuery, useList } from "../../api/use-list.ts";

const pageSize = 50;
const lookMs = 10_000;
const groupingLookMs = 2_000;

/** The workspaces of the organisation, in the order of their creation. */
export function useWorkspaces() {
  return useList({
    key: ["workspaces"],
    isEnabled: useForbidden("workspaces:read") === undefined,
    lookMs,
    read: async (cursor, signal) =>
      pageOf(await platform.GET("/platform/workspaces", { params: { query: listQuery(pageSize, cursor) }, signal })),
  });
}

/** One workspace. */
export function useWorkspace(workspace_id: string) {
  return useQuery({
    queryKey: ["workspace", workspace_id],
    enabled: useForbidden("workspaces:read") === undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { workspace_id } };
      return answerOf(await platform.GET("/platform/workspaces/{workspace_id}", { params, signal }));
    },
  });
}

/** The assets of a workspace, and why each is there. */
export function useWorkspaceAssets(workspace_id: string) {
  return useList({
    key: ["workspace-assets", workspace_id],
    isEnabled: useForbidden("workspaces:read") === undefined,
    read: async (cursor, signal) => {
      const params = { path: { workspace_id }, query: listQuery(pageSize, cursor) };
      return pageOf(await platform.GET("/platform/workspaces/{workspace_id}/assets", { params, signal }));
    },
  });
}

const isGrouping = (settings: WorkspaceSettings | undefined) =>
  settings?.grouping_status === "queued" || settings?.grouping_status === "running";

/** Whether workspaces are in use, and how far grouping is. */
export function useWorkspaceSettings() {
  return useQuery<WorkspaceSettings>({
    queryKey: ["workspace-settings"],
    enabled: useForbidden("workspaces:read") === undefined,
    refetchInterval: ({ state }) => (isGrouping(state.data) ? groupingLookMs : lookMs),
    queryFn: async ({ signal }) => answerOf(await platform.GET("/platform/workspaces/settings", { signal })),
  });
}

/** Changes settings; what is not named stays. */
export function useChangeSettings() {
  const keep = useKeepSettings();
  return useMutation({
    mutationFn: async (body: Partial<Pick<WorkspaceSettings, "workspaces_enabled" | "auto_grouping_enabled">>) =>
      answerOf(await platform.PATCH("/platform/workspaces/settings", { body })),
    onSuccess: keep,
  });
}

/** Asks for assets that are in no workspace to be grouped. */
export function useStartGrouping() {
  const keep = useKeepSettings();
  return useMutation({
    mutationFn: async () => answerOf(await platform.POST("/platform/workspaces/grouping-runs", {})),
    onSuccess: keep,
  });
}

/** Deletes a workspace; its assets stay. */
export function useDeleteWorkspace() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (workspace_id: string) =>
      answerOf(await platform.DELETE("/platform/workspaces/{workspace_id}", { params: { path: { workspace_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["workspaces"] }),
  });
}

function useKeepSettings() {
  const queryClient = useQueryClient();
  return (settings: WorkspaceSettings) => {
    queryClient.setQueryData(["workspace-settings"], settings);
    void queryClient.invalidateQueries({ queryKey: ["workspaces"] });
  };
}
