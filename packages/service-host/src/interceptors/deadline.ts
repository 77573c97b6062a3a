import { endOnAbort } from "@aiplatform/caller-identity";
import type { Interceptor } from "@connectrpc/connect";

/**
 * Answers the moment the call's deadline passes or its caller leaves, even if the handler does not look at its signal.
 * The deadline itself (the caller's, capped for unary calls) is set where a server opens the call.
 */
export function deadlineInterceptor(): Interceptor {
  return (next) => (request) => endOnAbort(next, request, request.signal);
}

/** Milliseconds a call has: what the caller asks for, for unary calls at most `capMs`; undefined = as long as it likes. */
export function timeoutOf(
  kind: "unary" | "server_streaming" | "client_streaming" | "bidi_streaming",
  requestedMs: number | undefined,
  capMs: number,
): number | undefined {
  return kind === "unary" ? Math.min(requestedMs ?? capMs, capMs) : requestedMs;
}
