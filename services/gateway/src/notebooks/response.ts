import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { writeError } from "@aiplatform/transcoder";
import { headersForCaller } from "./headers.ts";
import { watchProgress } from "./progress-watch.ts";
import { hubAway, hubSilent, type ProxyRequest } from "./proxy-request.ts";

/** Time limits of one request, in milliseconds. */
export interface NotebookTimeouts {
  /** From the request's last byte to the first of the answer's body, the pass included. */
  readonly responseMs: number;
  /** Without a byte in either direction once the answer has begun. */
  readonly silenceMs: number;
  /** Without a byte on a websocket. Kernels are pinged every half a minute. */
  readonly idleSocketMs: number;
}

/** However long the pass took, the hub gets this much. */
const minResponseMs = 1_000;

/** Answers for a hub that fails, unless the caller has been answered. */
export function answerFailure(
  error: unknown,
  o: { request: IncomingMessage; response: ServerResponse; proxied: ProxyRequest },
): void {
  o.proxied.wait?.stop();
  if (o.proxied.answered) return;
  o.proxied.answered = true;
  // The rest of the request's body stays unread.
  o.response.shouldKeepAlive = false;
  writeError(o.request, o.response, error, { requestId: o.proxied.requestId });
}

/** Gives up on a hub that does not begin to answer although it has the whole request. Stop it when the answer begins. */
export function awaitResponse(
  proxied: ProxyRequest,
  o: { request: IncomingMessage; response: ServerResponse; responseMs: number },
): { stop(): void } {
  const spentMs = performance.now() - proxied.arrivedAt;
  return watchProgress({
    read: () => proxied.upstream?.socket?.bytesWritten ?? 0,
    limitMs: Math.max(o.responseMs - spentMs, minResponseMs),
    stalled: () => {
      answerFailure(hubSilent(), { ...o, proxied });
      proxied.upstream?.destroy();
    },
  });
}

/**
 * Passes a hub's answer on as it comes. Its head waits for the first byte of its body, so that a hub which falls silent
 * after its headers can still be answered for; streams of events begin with a silence of their own.
 */
export function relayResponse(
  answer: IncomingMessage,
  o: {
    request: IncomingMessage;
    response: ServerResponse;
    proxied: ProxyRequest;
    /** The hub's address. */
    hub: URL;
    silenceMs: number;
  },
): void {
  const { response, proxied } = o;
  let headers: OutgoingHttpHeaders;
  try {
    headers = headersForCaller(answer.headers, { asked: new URL(proxied.url, o.hub), requestId: proxied.requestId });
  } catch {
    answerFailure(hubAway(), o);
    return;
  }
  const begin = () => {
    if (proxied.answered) return;
    try {
      response.writeHead(answer.statusCode ?? 502, headers);
    } catch {
      answerFailure(hubAway(), o);
      return;
    }
    proxied.answered = true;
    proxied.wait?.stop();
    const read = () => (answer.socket?.bytesRead ?? 0) + (response.socket?.bytesWritten ?? 0);
    const watch = watchProgress({ read, limitMs: o.silenceMs, stalled: () => answer.destroy() });
    // Each stream on the way listens for its end, and removes its listener then.
    response.setMaxListeners(20);
    // A caller that leaves or a hub that breaks off ends both; nothing more can be answered.
    pipeline(answer, response, () => watch.stop());
  };
  answer.once("error", () => answerFailure(hubAway(), o));
  if (answer.headers["content-type"]?.startsWith("text/event-stream")) {
    begin();
    response.flushHeaders();
  } else answer.once("readable", begin);
}
