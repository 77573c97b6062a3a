import { answerOf, type components, PlatformError } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consolePath } from "./console-path.ts";
import { platform } from "./platform.ts";

export type Session = components["schemas"]["CurrentSession"];

export const sessionKey = ["session"] as const;

/** The session of the cookie; null where there is none. */
export function useSession() {
  return useQuery({
    queryKey: sessionKey,
    staleTime: 60_000,
    queryFn: async (): Promise<Session | null> => {
      try {
        return answerOf(await platform.GET("/platform/session", {}));
      } catch (error) {
        if (error instanceof PlatformError && (error.status === 401 || error.status === 404)) return null;
        throw error;
      }
    },
  });
}

/** Opens a session with an API key, or with the code of a one-time link. */
export function useSignIn() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (credential: string): Promise<Session> =>
      answerOf(
        await platform.POST("/platform/sessions", { body: {}, headers: { authorization: `Bearer ${credential}` } }),
      ),
    onSuccess: (session) => queryClient.setQueryData(sessionKey, session),
  });
}

/** Ends the session, and loads the console again: nothing that it showed stays in memory, and no token of a lease in the tab. */
export function useSignOut() {
  return useMutation({
    mutationFn: async () => answerOf(await platform.DELETE("/platform/session", {})),
    onSuccess: () => {
      sessionStorage.clear();
      location.assign(`${consolePath}sign-in`);
    },
  });
}

/** Why an action is forbidden to the caller; undefined when it is allowed. */
export function useForbidden(permission: string): string | undefined {
  const { data: session } = useSession();
  if (!session || session.permission_ids.includes(permission)) return undefined;
  return `You need the permission ${permission}. Ask an administrator for a role that has it.`;
}
