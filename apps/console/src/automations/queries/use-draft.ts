import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AutomationVersionEntry, platform } from "../../api/platform.ts";
import { isMissing } from "../../api/problems.ts";

/** The entity tag of a draft that is not there yet: saving with it replaces no draft that someone else saves meanwhile. */
export const noDraftTag = '"0"';

/** A draft, and its entity tag. */
export interface Draft {
  entry: AutomationVersionEntry;
  etag: string;
}

/** The draft of an automation; null where there is none. */
export function useDraft(automation_id: string) {
  return useQuery({
    queryKey: ["automation-draft", automation_id],
    queryFn: async ({ signal }): Promise<Draft | null> => {
      const params = { path: { automation_id } };
      const answer = await platform.GET("/platform/automations/{automation_id}/draft", { params, signal });
      try {
        return draftOf(answer);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  });
}

function draftOf(answer: { data?: AutomationVersionEntry; error?: unknown; response: Response }): Draft {
  return { entry: answerOf(answer), etag: answer.response.headers.get("etag") ?? "" };
}

interface SavedDraft {
  body: components["schemas"]["SaveAutomationDraftRequest"];
  /** Of the draft that it replaces, or `noDraftTag`. */
  etag: string;
}

/** Saves a draft, if the one that it replaces is still as it was read. */
export function useSaveDraft(automation_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, etag }: SavedDraft) => {
      const params = { path: { automation_id }, header: { "If-Match": etag } };
      return draftOf(await platform.PUT("/platform/automations/{automation_id}/draft", { params, body }));
    },
    onSuccess: (draft) => {
      queryClient.setQueryData(["automation-draft", automation_id], draft);
      void queryClient.invalidateQueries({ queryKey: ["automation-versions", automation_id] });
    },
  });
}

/** Publishes a draft, if it is still the one that was read. */
export function usePublish(automation_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (etag: string) => {
      const params = { path: { automation_id }, header: { "If-Match": etag } };
      return answerOf(await platform.POST("/platform/automations/{automation_id}/publish", { params }));
    },
    onSuccess: ({ delegated_permission_ids: _, ...automation }) => {
      queryClient.setQueryData(["automation", automation_id], automation);
      queryClient.setQueryData(["automation-draft", automation_id], null);
      for (const key of ["automation-versions", "automation-published", "automation-draft"])
        void queryClient.invalidateQueries({ queryKey: [key, automation_id] });
      void queryClient.invalidateQueries({ queryKey: ["automations"] });
    },
  });
}
