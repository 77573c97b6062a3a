import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { membersOf } from "../api/members.ts";
import { pageOf } from "../api/page.ts";
import { type Automation, type Dataset, platform } from "../api/platform.ts";
import { readPages } from "../api/read-pages.ts";
import { useForbidden } from "../api/session.ts";
import { listQuery, useList } from "../api/use-list.ts";
import type { ListSearch } from "../ui/list-filter.tsx";

const pageSize = 50;
const lookMs = 5_000;
const maxAutomationPages = 10;

/** The datasets that the address asks for, page after page; the newest first without a choice. */
export function useDatasets({ filter, order = "created_at desc" }: ListSearch) {
  return useList<Dataset>({
    key: ["datasets", filter, order],
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) => {
      const query = listQuery(pageSize, cursor, { ...(filter !== undefined && { filter }), order });
      return pageOf(await platform.GET("/platform/datasets", { params: { query }, signal }));
    },
  });
}

/** One dataset. */
export function useDataset(dataset_id: string) {
  return useQuery({
    queryKey: ["dataset", dataset_id],
    refetchInterval: lookMs,
    queryFn: async ({ signal }) => {
      const params = { path: { dataset_id } };
      return answerOf(await platform.GET("/platform/datasets/{dataset_id}", { params, signal }));
    },
  });
}

/** Creates a dataset. */
export function useCreateDataset() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: components["schemas"]["CreateDatasetRequest"]) =>
      answerOf(await platform.POST("/platform/datasets", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["datasets"] }),
  });
}

/** Deletes a dataset with its dictionary. */
export function useDeleteDataset(dataset_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const params = { path: { dataset_id } };
      return answerOf(await platform.DELETE("/platform/datasets/{dataset_id}", { params }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["datasets"] }),
  });
}

/** Reads the columns of a dataset from a sample of its data. */
export function useInferColumns(dataset_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: components["schemas"]["InferDatasetColumnsRequest"]) => {
      const params = { path: { dataset_id } };
      return answerOf(await platform.POST("/platform/datasets/{dataset_id}/columns", { params, body }));
    },
    onSuccess: (dataset) => {
      queryClient.setQueryData(["dataset", dataset_id], dataset);
      void queryClient.invalidateQueries({ queryKey: ["dictionary", dataset_id] });
      void queryClient.invalidateQueries({ queryKey: ["datasets"] });
    },
  });
}

/** Published automations with a step that names a dataset, for callers who may read automations. */
export function useAutomationsUsing(dataset_id: string) {
  const forbidden = useForbidden("automations:read");
  return useQuery({
    queryKey: ["automations", "using", dataset_id],
    enabled: forbidden === undefined,
    queryFn: async ({ signal }) => {
      const all = await readPages({
        maxPages: maxAutomationPages,
        read: async (cursor) => {
          const params = { query: listQuery(1_000, cursor) };
          return pageOf(await platform.GET("/automations/", { params, signal }));
        },
      });
      return all.filter((automation) => usesDataset(automation, dataset_id));
    },
  });
}

function usesDataset({ current_version }: Automation, dataset_id: string): boolean {
  return (current_version?.steps ?? []).some((step) => membersOf(step.prompt_template)["dataset_id"] === dataset_id);
}
