import { PlatformError, PlatformUnreachableError } from "@aiplatform/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { connection } from "./connection.ts";
import { sessionKey } from "./session.ts";

/** What the API answered, and how old that may be. The client of the platform repeats requests itself. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure, onSuccess: connection.up }),
  mutationCache: new MutationCache({ onError: noteFailure, onSuccess: connection.up }),
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** An ended session shows the sign-in page; a platform that does not answer shows the banner. */
function noteFailure(error: unknown): void {
  if (error instanceof PlatformUnreachableError) connection.down();
  if (error instanceof PlatformError) {
    connection.up();
    if (error.status === 401) queryClient.setQueryData(sessionKey, null);
  }
}
