import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { platform } from "../../api/platform.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { lookAgainMs } from "./look-again.ts";
import { uploadFile } from "./upload-file.ts";

export type DatasetVersion = components["schemas"]["DatasetVersion"];
export type ColumnStatistics = components["schemas"]["DatasetColumnStatistics"];
/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A version of a dataset. */
export interface VersionPath {
  dataset_id: string;
  version_id: string;
}

const pageSize = 50;

/** The versions of a dataset, the newest first. */
export function useVersions(dataset_id: string, isEnabled: boolean) {
  return useList<DatasetVersion>({
    key: ["versions", dataset_id],
    isEnabled,
    lookMs: (versions) => lookAgainMs(versions, Date.now()),
    read: async (cursor, signal) => {
      const params = { path: { dataset_id }, query: listQuery(pageSize, cursor) };
      return pageOf(await platform.GET("/platform/datasets/{dataset_id}/versions", { params, signal }));
    },
  });
}

/** Rows of a version that the filter finds, page after page. */
export function useRows(path: VersionPath, { filter, order }: ListSearch) {
  return useList<Row>({
    key: ["rows", path.version_id, filter, order],
    keepsPrevious: true,
    read: async (cursor, signal) => {
      const chosen = { ...(filter !== undefined && { filter }), ...(order !== undefined && { order }) };
      const params = { path, query: listQuery(pageSize, cursor, chosen) };
      const url = "/platform/datasets/{dataset_id}/versions/{version_id}/rows";
      return pageOf<Row>(await platform.GET(url, { params, signal }));
    },
  });
}

/** What the columns of a version hold. They do not change. */
export function useStatistics(path: VersionPath) {
  return useQuery({
    queryKey: ["statistics", path.version_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const url = "/platform/datasets/{dataset_id}/versions/{version_id}/statistics";
      return answerOf(await platform.GET(url, { params: { path }, signal }));
    },
  });
}

/** Uploads files and makes them a version. */
export function useCreateVersion(dataset_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ files, description }: { files: readonly File[]; description: string }) => {
      const uploaded = [];
      for (const file of files) uploaded.push(await uploadFile(file));
      const params = { path: { dataset_id } };
      const body = { files: uploaded, description };
      return answerOf(await platform.POST("/platform/datasets/{dataset_id}/versions", { params, body }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["versions", dataset_id] }),
  });
}

/** One version: that of a list does not say what has used its data. */
export function useVersion(path: VersionPath) {
  return useQuery<DatasetVersion>({
    queryKey: ["version", path.version_id],
    refetchInterval: ({ state: { data } }) => (data ? lookAgainMs([data], Date.now()) : false),
    queryFn: async ({ signal }) => {
      const url = "/platform/datasets/{dataset_id}/versions/{version_id}";
      return answerOf(await platform.GET(url, { params: { path }, signal }));
    },
  });
}

/** The version with what has used its data, as its purge would answer it. */
export function usePurgeUses(path: VersionPath) {
  return useQuery({
    queryKey: ["purge-uses", path.version_id],
    queryFn: async ({ signal }) => {
      const url = "/platform/datasets/{dataset_id}/versions/{version_id}/purge";
      return answerOf(await platform.POST(url, { params: { path, query: { dry_run: true } }, signal }));
    },
  });
}

/** Removes the data of a version. */
export function usePurgeVersion(path: VersionPath) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const url = "/platform/datasets/{dataset_id}/versions/{version_id}/purge";
      return answerOf(await platform.POST(url, { params: { path } }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["versions", path.dataset_id] }),
  });
}
