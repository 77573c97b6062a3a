import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type CredentialExchange, superviseCaller } from "@aiplatform/caller-identity";
import { writeError } from "@aiplatform/transcoder";
import { securityHeaders } from "../edge/security-headers.ts";
import { headersForCaller } from "./headers.ts";
import { watchProgress } from "./progress-watch.ts";
import { notebookMethod, type ProxyRequest } from "./proxy-request.ts";

/** How often a websocket's credential is checked without an announced change. */
const recheckMs = 60_000;
/** What belongs to the handshake; a hub has nothing else to say in it. */
const handshake = [
  "connection",
  "upgrade",
  "sec-websocket-accept",
  "sec-websocket-protocol",
  "sec-websocket-extensions",
];

/** Answers a request for a websocket that gets none, and ends its connection. */
export function refuseUpgrade(
  error: unknown,
  { request, socket, requestId }: { request: IncomingMessage; socket: Socket; requestId: string },
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.setHeaders(securityHeaders);
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  writeError(request, response, error, { requestId });
}

export interface Bridge {
  readonly proxied: ProxyRequest;
  /** The caller's end. */
  readonly socket: Socket;
  /** The hub's address. */
  readonly hub: URL;
  readonly exchange: CredentialExchange;
  /** Aborts when the gateway drains. */
  readonly draining: AbortSignal;
  readonly idleMs: number;
}

/**
 * Watches over a request for a websocket: nothing but the handshake passes before it, and it ends with its credential,
 * with the gateway, with either of its ends, or when nothing passes for `idleMs`.
 */
export function superviseUpgrade(upstream: ClientRequest, bridge: Bridge): void {
  const { proxied, hub } = bridge;
  upstream.prependListener("upgrade", (answer: IncomingMessage, hubSocket: Duplex) => {
    proxied.answered = true;
    const kept = Object.entries(answer.headers).filter(([name]) => handshake.includes(name));
    answer.headers = { ...Object.fromEntries(kept), "x-request-id": proxied.requestId };
    holdOpen(bridge, hubSocket);
  });
  upstream.prependListener("response", (answer: IncomingMessage) => {
    proxied.answered = true;
    try {
      const asked = new URL(proxied.url, hub);
      const headers = headersForCaller(answer.headers, { asked, requestId: proxied.requestId });
      answer.headers = headers as IncomingHttpHeaders;
    } catch {
      answer.headers = {};
      answer.statusCode = 502;
    }
  });
}

function holdOpen({ proxied, socket, exchange, draining, idleMs }: Bridge, hubSocket: Duplex): void {
  const over = new AbortController();
  const close = () => {
    over.abort();
    hubSocket.destroy();
    socket.destroy();
  };
  socket.once("close", close);
  hubSocket.once("close", close);
  const { caller, credential } = proxied;
  const signal = AbortSignal.any([draining, over.signal]);
  const allowed = superviseCaller({ exchange, credential, caller, method: notebookMethod, signal, everyMs: recheckMs });
  if (allowed.aborted) close();
  else allowed.addEventListener("abort", close, { once: true });
  const read = () => socket.bytesRead + socket.bytesWritten;
  const watch = watchProgress({ read, limitMs: idleMs, stalled: close });
  over.signal.addEventListener("abort", () => watch.stop(), { once: true });
  if (over.signal.aborted) watch.stop();
}
