import { answerOf } from "@aiplatform/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { platform } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { listQuery, useList } from "../../api/use-list.ts";

const pageSize = 50;
const lookMs = 5_000;

/** Accounts at other platforms, the newest first. Looked at often: people link them in another tab. */
export function useAccounts() {
  return useList({
    key: ["accounts"],
    isEnabled: useForbidden("oauth:link") === undefined,
    lookMs,
    read: async (cursor, signal) => {
      const query = listQuery(pageSize, cursor, { order: "created_at desc" });
      return pageOf(await platform.GET("/platform/external-oauth/links", { params: { query }, signal }));
    },
  });
}

/** What is linked. */
export interface LinkForm {
  provider: string;
  secret_name: string;
  secret_description: string;
  /** Whether a linked name gets new tokens. */
  relink: boolean;
}

/** Begins to link an account. The answer has the address of the page where people go on. */
export function useStartLink() {
  const queryClient = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async ({ provider, relink, ...body }: LinkForm) => {
      const params = { path: { provider }, query: { relink } };
      return answerOf(await platform.POST("/platform/external-oauth/{provider}/start", { params, body }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["accounts"] }),
  });
}

/** Has the provider take its tokens back, and erases them. */
export function useRevokeLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (link_id: string) =>
      answerOf(await platform.DELETE("/platform/external-oauth/links/{link_id}", { params: { path: { link_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["accounts"] }),
  });
}
