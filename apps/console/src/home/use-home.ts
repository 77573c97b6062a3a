import { useQueries, useQuery } from "@tanstack/react-query";
import { pageOf } from "../api/page.ts";
import { type Automation, platform } from "../api/platform.ts";

const lookMs = 5_000;
const maxShown = 8;

/** The newest runs that a filter finds. */
export function useHomeRuns(filter: string) {
  return useQuery({
    queryKey: ["home-runs", filter],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) =>
      pageOf(await platform.GET("/platform/runs", { params: { query: { filter, limit: maxShown } }, signal })).items,
  });
}

/** What was done last, the newest first. */
export function useActivity(isAllowed: boolean) {
  return useQuery({
    queryKey: ["activity"],
    enabled: isAllowed,
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const query = { outcome: "done", limit: maxShown } as const;
      return pageOf(await platform.GET("/platform/audit", { params: { query }, signal })).items;
    },
  });
}

/** The newest automations. */
export function useAutomations() {
  return useQuery({
    queryKey: ["automations"],
    refetchInterval: lookMs * 4,
    queryFn: async ({ signal }) => {
      const query = { limit: maxShown, order_by: "created_at desc" };
      return pageOf(await platform.GET("/automations/", { params: { query }, signal })).items;
    },
  });
}

/** The status of the newest run of each automation, by the automation's id. */
export function useNewestAutomationRuns(automations: readonly Automation[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: automations.map(({ id }) => ({
      queryKey: ["automation-run", id],
      refetchInterval: lookMs * 2,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { path: { automation_id: id }, query: { limit: 1 } };
        return pageOf(await platform.GET("/platform/automations/{automation_id}/runs", { params, signal })).items;
      },
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data?.[0] ? [[data[0].automation_id, data[0].status]] : []))),
  });
}
