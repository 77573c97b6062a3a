import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { replaceUnchanged } from "../api/changed-since.ts";
import { pageOf } from "../api/page.ts";
import { type Feature, platform } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { listQuery, useList } from "../api/use-list.ts";
import type { ListSearch } from "../ui/list-filter.tsx";

const pageSize = 50;
const lookMs = 10_000;

/** The features that the address asks for. */
export function useFeatures(search: ListSearch) {
  return useList({
    key: ["features", search.filter, search.order],
    isEnabled: useForbidden("features:read") === undefined,
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) =>
      pageOf(
        await platform.GET("/platform/features", { params: { query: listQuery(pageSize, cursor, search) }, signal }),
      ),
  });
}

/** One feature. */
export function useFeature(feature_key: string) {
  return useQuery({
    queryKey: ["feature", feature_key],
    enabled: useForbidden("features:read") === undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { feature_key } };
      return answerOf(await platform.GET("/platform/features/{feature_key}", { params, signal }));
    },
  });
}

/** What uses a feature, by name. */
export function useUsages(feature_key: string) {
  return useList({
    key: ["feature-usages", feature_key],
    isEnabled: useForbidden("features:read") === undefined,
    lookMs,
    read: async (cursor, signal) => {
      const params = { path: { feature_key }, query: listQuery(pageSize, cursor) };
      return pageOf(await platform.GET("/platform/features/{feature_key}/usages", { params, signal }));
    },
  });
}

/** What a feature says. */
export interface FeatureForm {
  description: string;
  usage_notes: string;
  owner_member_id: string | null;
  replacement_key: string | null;
}

/** Replaces what a feature says, as long as it is still as it was read. */
export function useSaveFeature(base: Feature) {
  const keep = useKeepFeature();
  return useMutation({
    mutationFn: (form: FeatureForm) =>
      replaceUnchanged({
        base,
        read: () => platform.GET("/platform/features/{feature_key}", { params: { path: { feature_key: base.key } } }),
        write: (ifMatch) => putFeature(base.key, form, ifMatch),
      }),
    onSuccess: keep,
  });
}

/** There is a feature with the key of a new one already. */
export class FeatureExistsError extends Error {
  override name = "FeatureExistsError";

  constructor(key: string) {
    super(`There is a feature with the key ${key} already. Choose another key, or open that feature and change it.`);
  }
}

/** The tag of a feature that is not there: under it nothing is replaced. */
const absent = '"0"';

/** Creates a feature. */
export function useCreateFeature() {
  const keep = useKeepFeature();
  return useMutation({
    mutationFn: async ({ key, ...form }: FeatureForm & { key: string }) => {
      const created = await putFeature(key, form, absent);
      if (created.response.status === 412) throw new FeatureExistsError(key);
      return answerOf(created);
    },
    onSuccess: keep,
  });
}

function putFeature(feature_key: string, form: FeatureForm, ifMatch: string) {
  const { owner_member_id, replacement_key, ...texts } = form;
  const body = {
    ...texts,
    ...(owner_member_id !== null && { owner_member_id }),
    ...(replacement_key !== null && { replacement_key }),
  };
  const params = { path: { feature_key }, header: { "If-Match": ifMatch } };
  return platform.PUT("/platform/features/{feature_key}", { params, body });
}

/** Makes a deprecated feature active again. */
export function useRestoreFeature(feature_key: string) {
  const keep = useKeepFeature();
  return useMutation({
    mutationFn: async () =>
      answerOf(await platform.POST("/platform/features/{feature_key}/restore", { params: { path: { feature_key } } })),
    onSuccess: keep,
  });
}

/** What deleting a feature would do, and what uses it. Nothing changes. */
export function useDeletionPreview(feature_key: string, keep: boolean) {
  return useQuery({
    queryKey: ["feature-deletion", feature_key, keep],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { feature_key }, query: { dry_run: true, keep } };
      return answerOf(await platform.DELETE("/feature-memory/{feature_key}/", { params, signal }));
    },
  });
}

/** Deletes a feature that nothing uses, or deprecates it. With `keep` it is never deleted. */
export function useDeleteFeature(feature_key: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (keep: boolean) => {
      const params = { path: { feature_key }, query: { keep } };
      return answerOf(await platform.DELETE("/feature-memory/{feature_key}/", { params }));
    },
    onSuccess: ({ hard_deleted }) => {
      void queryClient.invalidateQueries({ queryKey: ["features"] });
      if (hard_deleted) queryClient.removeQueries({ queryKey: ["feature", feature_key] });
      else void queryClient.invalidateQueries({ queryKey: ["feature", feature_key] });
    },
  });
}

function useKeepFeature() {
  const queryClient = useQueryClient();
  return (feature: Feature) => {
    queryClient.setQueryData(["feature", feature.key], feature);
    void queryClient.invalidateQueries({ queryKey: ["features"] });
  };
}
