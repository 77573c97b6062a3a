import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type AutomationRun, platform } from "../../api/platform.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { isEnded } from "./run-rules.ts";

const pageSize = 25;
const lookMs = 3_000;
const liveMs = 1_000;
const rowLookMs = 10_000;
const maxCounted = 1_000;

/** The runs of an automation that the address asks for, page after page; the newest first without a choice. */
export function useRunsOfAutomation(automation_id: string, search: ListSearch) {
  return useList<AutomationRun>({
    key: ["automation-runs", automation_id, search.filter, search.order],
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) => {
      const params = { path: { automation_id }, query: listQuery(pageSize, cursor, search) };
      return pageOf(await platform.GET("/platform/automations/{automation_id}/runs", { params, signal }));
    },
  });
}

/** The newest runs of an automation. */
export function useNewestRuns(automation_id: string, limit: number) {
  return useQuery({
    queryKey: ["automation-runs", automation_id, "newest", limit],
    refetchInterval: rowLookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { automation_id }, query: { limit } };
      return pageOf(await platform.GET("/platform/automations/{automation_id}/runs", { params, signal })).items;
    },
  });
}

/** How many runs of an automation are under way; a thousand at most. */
export function useRunsUnderWay(automation_id: string) {
  return useQuery({
    queryKey: ["automation-runs", automation_id, "under-way"],
    queryFn: async ({ signal }) => {
      const query = { filter: "status = queued OR status = running OR status = waiting", limit: maxCounted };
      const params = { path: { automation_id }, query };
      return pageOf(await platform.GET("/platform/automations/{automation_id}/runs", { params, signal })).items.length;
    },
  });
}

/** One run with its steps, looked at each second until it has ended. */
export function useRunOfAutomation(run_id: string) {
  return useQuery<AutomationRun>({
    queryKey: ["run-of-automation", run_id],
    refetchInterval: ({ state: { data } }) => (data && isEnded(data.status) ? false : liveMs),
    queryFn: async ({ signal }) => {
      const params = { path: { run_id } };
      return answerOf(await platform.GET("/platform/automation-runs/{run_id}", { params, signal }));
    },
  });
}

/** Starts a run with an input. */
export function useStartRun(automation_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Record<string, unknown>) => {
      const params = { path: { automation_id } };
      return answerOf(await platform.POST("/platform/automations/{automation_id}/runs", { params, body: { input } }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["automation-runs", automation_id] }),
  });
}

/** Ends a run at once. */
export function useCancelRun(run_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const params = { path: { run_id } };
      return answerOf(await platform.POST("/platform/automation-runs/{run_id}/cancel", { params }));
    },
    onSuccess: (run) => {
      queryClient.setQueryData(["run-of-automation", run_id], run);
      void queryClient.invalidateQueries({ queryKey: ["automation-runs", run.automation_id] });
    },
  });
}
