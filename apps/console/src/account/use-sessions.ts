import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consolePath } from "../api/console-path.ts";
import { platform } from "../api/platform.ts";

export type OwnSession = components["schemas"]["Session"];

const sessionsKey = ["own-sessions"] as const;

/** The sessions of the person, newest first: at most 100, as many as there can be. */
export function useSessions(isWanted: boolean) {
  return useQuery({
    queryKey: sessionsKey,
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<OwnSession[]> =>
      answerOf(await platform.GET("/platform/sessions", { signal })),
  });
}

/** Ends another session of the person. */
export function useRevokeSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) =>
      answerOf(await platform.DELETE("/platform/sessions/{session_id}", { params: { path: { session_id: id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  });
}

/** Goes on as the same person in another organisation, and loads the console again: nothing that it showed stays in memory. */
export function useSwitchOrganisation() {
  return useMutation({
    mutationFn: async (organisationId: string) =>
      answerOf(await platform.POST("/platform/sessions", { body: { organisation_id: organisationId } })),
    onSuccess: () => {
      sessionStorage.clear();
      location.assign(consolePath);
    },
  });
}
