import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type Automation, type AutomationVersionEntry, platform } from "../../api/platform.ts";
import { readPages } from "../../api/read-pages.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import type { ListSearch } from "../../ui/list-filter.tsx";

/** Each row asks for its settings, its trigger and its newest runs. */
const pageSize = 20;
const lookMs = 5_000;
const slowLookMs = 20_000;
const versionPages = { size: 100, max: 10 };

/** The automations that the address asks for, page after page; the newest first without a choice. */
export function useAutomationList({ filter, order = "created_at desc" }: ListSearch) {
  return useList<Automation>({
    key: ["automations", "pages", filter, order],
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) => {
      const query = listQuery(pageSize, cursor, { ...(filter !== undefined && { filter }), order });
      return pageOf(await platform.GET("/automations/", { params: { query }, signal }));
    },
  });
}

/** One automation. */
export function useAutomation(automation_id: string) {
  return useQuery({
    queryKey: ["automation", automation_id],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { automation_id } };
      return answerOf(await platform.GET("/platform/automations/{automation_id}", { params, signal }));
    },
  });
}

/** How an automation is run: whether it is enabled, and who owns it. */
export function useAutomationSettings(automation_id: string) {
  return useQuery({
    queryKey: ["automation-settings", automation_id],
    staleTime: lookMs,
    refetchInterval: slowLookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { automation_id } };
      return answerOf(await platform.GET("/platform/automations/{automation_id}/settings", { params, signal }));
    },
  });
}

/** The published version with its trigger; null where nothing is published. */
export function usePublishedVersion({ id: automation_id, current_version }: Automation) {
  return useQuery({
    // Another published version is another answer.
    queryKey: ["automation-published", automation_id, current_version?.id],
    enabled: current_version !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const params = { path: { automation_id }, query: { filter: "status = published", limit: 1 } };
      const answer = await platform.GET("/platform/automations/{automation_id}/versions", { params, signal });
      return pageOf(answer).items[0] ?? null;
    },
  });
}

/** The versions of an automation, the newest first; a thousand at most. */
export function useVersions(automation_id: string) {
  return useQuery({
    queryKey: ["automation-versions", automation_id],
    refetchInterval: slowLookMs,
    queryFn: ({ signal }) => readVersions(automation_id, signal, () => false),
  });
}

/** One version; null where it is no longer among the newest thousand. A version that runs never changes. */
export function useVersion(automation_id: string | undefined, version_id: string | undefined) {
  return useQuery({
    queryKey: ["automation-version", automation_id, version_id],
    enabled: automation_id !== undefined && version_id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const isIt = ({ version }: AutomationVersionEntry) => version.id === version_id;
      const versions = await readVersions(automation_id ?? "", signal, (read) => read.some(isIt));
      return versions.find(isIt) ?? null;
    },
  });
}

function readVersions(
  automation_id: string,
  signal: AbortSignal,
  isEnough: (versions: readonly AutomationVersionEntry[]) => boolean,
): Promise<AutomationVersionEntry[]> {
  return readPages({
    maxPages: versionPages.max,
    isEnough,
    read: async (cursor) => {
      const params = { path: { automation_id }, query: listQuery(versionPages.size, cursor) };
      return pageOf(await platform.GET("/platform/automations/{automation_id}/versions", { params, signal }));
    },
  });
}

/** Creates an automation. */
export function useCreateAutomation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: components["schemas"]["CreateAutomationRequest"]) =>
      answerOf(await platform.POST("/platform/automations", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["automations"] }),
  });
}

/** Deletes an automation with its versions and runs. */
export function useDeleteAutomation(automation_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const params = { path: { automation_id } };
      return answerOf(await platform.DELETE("/platform/automations/{automation_id}", { params }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["automations"] }),
  });
}

/** Changes how an automation is run. */
export function useUpdateSettings(automation_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: components["schemas"]["UpdateAutomationSettingsRequest"]) => {
      const params = { path: { automation_id } };
      return answerOf(await platform.PATCH("/platform/automations/{automation_id}/settings", { params, body }));
    },
    onSuccess: (settings) => queryClient.setQueryData(["automation-settings", automation_id], settings),
  });
}
