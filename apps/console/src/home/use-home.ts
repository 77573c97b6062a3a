import { useQuery } from "@tanstack/react-query";
import { pageOf } from "../api/page.ts";
import { platform } from "../api/platform.ts";

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
