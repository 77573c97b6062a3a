import { answerOf } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type ApiKeyPolicy, platform } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { listQuery, useList } from "../../api/use-list.ts";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { permissionIds } from "../roles/permission-areas.ts";

const pageSize = 50;
const lookMs = 10_000;

/** The keys that the address asks for; never the keys themselves. */
export function useKeys(search: ListSearch) {
  return useList({
    key: ["api-keys", search.filter, search.order],
    isEnabled: useForbidden("apikeys:manage") === undefined,
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) =>
      pageOf(
        await platform.GET("/platform/api-keys", { params: { query: listQuery(pageSize, cursor, search) }, signal }),
      ),
  });
}

/** The newest keys that a member made. */
export function useKeysOfMember(created_by_member_id: string) {
  return useQuery({
    queryKey: ["api-keys", "of member", created_by_member_id],
    enabled: useForbidden("apikeys:manage") === undefined,
    queryFn: async ({ signal }) => {
      const query = { created_by_member_id, limit: pageSize, order_by: "created_at desc" };
      return pageOf(await platform.GET("/platform/api-keys", { params: { query }, signal }));
    },
  });
}

/** How long keys may live. */
export function useKeyPolicy() {
  return useQuery({
    queryKey: ["api-key-policy"],
    enabled: useForbidden("apikeys:manage") === undefined,
    queryFn: async ({ signal }) => answerOf(await platform.GET("/platform/api-key-policy", { signal })),
  });
}

/** Sets how long keys may live; null: without an end. */
export function useSetKeyPolicy() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ max_lifetime_seconds }: ApiKeyPolicy) => {
      const body = max_lifetime_seconds === null ? {} : { max_lifetime_seconds };
      return answerOf(await platform.PUT("/platform/api-key-policy", { body }));
    },
    onSuccess: async (policy) => {
      queryClient.setQueryData(["api-key-policy"], policy);
      await queryClient.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
}

/** What a new key is made of. */
export interface NewKey {
  name: string;
  permission_ids: string[];
  expires_at?: string;
}

/** Creates a key. The answer is the only one that has its secret: it is kept in the component that asked, and nowhere else. */
export function useCreateKey() {
  const forget = useForgetKeys();
  return useMutation({
    gcTime: 0,
    mutationFn: async (key: NewKey) => {
      const body = { ...key, permission_ids: permissionIds(key.permission_ids) };
      return answerOf(await platform.POST("/platform/api-keys", { body }));
    },
    onSuccess: forget,
  });
}

/** Makes a key that takes over from another one, which works on for `overlap_seconds`. The answer has the new secret. */
export function useRotateKey(api_key_id: string) {
  const forget = useForgetKeys();
  return useMutation({
    gcTime: 0,
    mutationFn: async (overlap_seconds: number) =>
      answerOf(
        await platform.POST("/platform/api-keys/{api_key_id}/rotate", {
          params: { path: { api_key_id } },
          body: { overlap_seconds },
        }),
      ),
    onSuccess: forget,
  });
}

/** Revokes a key for good. */
export function useRevokeKey(api_key_id: string) {
  const forget = useForgetKeys();
  return useMutation({
    mutationFn: async () =>
      answerOf(await platform.DELETE("/platform/api-keys/{api_key_id}", { params: { path: { api_key_id } } })),
    onSuccess: forget,
  });
}

function useForgetKeys() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["api-keys"] });
}
