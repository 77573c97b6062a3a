import { answerOf, createPlatformClient, PlatformError, PlatformUnreachableError } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { replaceUnchanged } from "../api/changed-since.ts";
import { pageOf } from "../api/page.ts";
import { apiUrl, type EmailDraft, platform } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { listQuery, useList } from "../api/use-list.ts";
import type { ListSearch } from "../ui/list-filter.tsx";

const pageSize = 50;
const lookMs = 5_000;
const sendingLookMs = 1_000;

/** The answer to a sending comes within 30 seconds: the platform's client for pages would give up before. */
const sender = createPlatformClient({ baseUrl: apiUrl, retry: { limit: 0, timeoutMs: 35_000 } });

/** The drafts that the address asks for; without an order the newest first. */
export function useDrafts({ filter, order = "created_at desc" }: ListSearch) {
  const search = { order, ...(filter !== undefined && { filter }) };
  return useList({
    key: ["drafts", filter, order],
    isEnabled: useForbidden("emails:write") === undefined,
    lookMs,
    keepsPrevious: true,
    read: async (cursor, signal) =>
      pageOf(
        await platform.GET("/platform/email-drafts", {
          params: { query: listQuery(pageSize, cursor, search) },
          signal,
        }),
      ),
  });
}

/** One draft; looked at often while it is sent. */
export function useDraft(draft_id: string, isSending: boolean) {
  return useQuery<EmailDraft>({
    queryKey: ["draft", draft_id],
    enabled: useForbidden("emails:write") === undefined,
    refetchInterval: ({ state }) => (isSending || state.data?.status === "sending" ? sendingLookMs : lookMs),
    queryFn: async ({ signal }) => {
      const params = { path: { draft_id } };
      return answerOf(await platform.GET("/platform/email-drafts/{draft_id}", { params, signal }));
    },
  });
}

/** What a draft says, and to whom. */
export type DraftForm = Pick<EmailDraft, "subject" | "text" | "html" | "recipient_member_ids">;

/** Creates a draft, or replaces one that is still as it was read. */
export function useSaveDraft(base: EmailDraft | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: DraftForm): Promise<EmailDraft> => {
      if (!base) return answerOf(await platform.POST("/platform/email-drafts", { body }));
      const path = { draft_id: base.id };
      return await replaceUnchanged({
        base,
        read: () => platform.GET("/platform/email-drafts/{draft_id}", { params: { path } }),
        write: (ifMatch) => {
          const params = { path, header: { "If-Match": ifMatch } };
          return platform.PUT("/platform/email-drafts/{draft_id}", { params, body });
        },
      });
    },
    onSuccess: (draft) => {
      queryClient.setQueryData(["draft", draft.id], draft);
      for (const key of ["drafts", "draft-preview"]) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** Deletes a draft that was not sent. */
export function useDeleteDraft() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (draft_id: string) =>
      answerOf(await platform.DELETE("/platform/email-drafts/{draft_id}", { params: { path: { draft_id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["drafts"] }),
  });
}

/** What a recipient would get, as the draft is stored. */
export function useDraftPreview({ id: draft_id, revision }: EmailDraft, member_id: string | undefined) {
  return useQuery({
    queryKey: ["draft-preview", draft_id, revision, member_id],
    enabled: member_id !== undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { draft_id }, query: member_id === undefined ? {} : { member_id } };
      return answerOf(await platform.GET("/platform/email-drafts/{draft_id}/preview", { params, signal }));
    },
  });
}

/** What became of the recipients, or of those in one state. */
export function useDeliveries(draft: EmailDraft, state: string | undefined) {
  const { id: draft_id, status } = draft;
  return useList({
    key: ["deliveries", draft_id, status, state],
    isEnabled: status !== "draft",
    ...(status === "sending" && { lookMs: sendingLookMs }),
    read: async (cursor, signal) => {
      const search = state === undefined ? {} : { filter: `status = ${state}` };
      const params = { path: { draft_id }, query: listQuery(pageSize, cursor, search) };
      return pageOf(await platform.GET("/platform/email-drafts/{draft_id}/deliveries", { params, signal }));
    },
  });
}

/** Codes of answers that say: it is being sent, by this request or another one. */
const goesOn = new Set(["email_draft_sending", "request_in_flight"]);

/**
 * Sends a draft, or what of it failed. Settles when the platform has answered. A sending that takes longer goes on by itself, which is no
 * failure: the draft says how it stands.
 */
export function useSendDraft(draft_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<"ended" | "goes on"> => {
      try {
        answerOf(await sender.POST("/email-drafts/{draft_id}/send/", { params: { path: { draft_id } } }));
        return "ended";
      } catch (error) {
        if (error instanceof PlatformError && goesOn.has(error.code)) return "goes on";
        if (error instanceof PlatformUnreachableError && error.timedOut) return "goes on";
        throw error;
      }
    },
    onSettled: async () => {
      for (const key of ["drafts", "deliveries"]) void queryClient.invalidateQueries({ queryKey: [key] });
      await queryClient.invalidateQueries({ queryKey: ["draft", draft_id] });
    },
  });
}
