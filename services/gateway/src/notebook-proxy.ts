import { Agent as HttpAgent, type IncomingMessage, ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { CredentialExchange } from "@aiplatform/caller-identity";
import { requestIdOf, writeError } from "@aiplatform/transcoder";
import { createProxyMiddleware } from "http-proxy-middleware";
import { answerFailure, awaitAnswer, type NotebookTimes, relayAnswer } from "./notebook-proxy-answer.ts";
import { isWebsocket } from "./notebook-proxy-headers.ts";
import { isNotebookPath } from "./notebook-proxy-path.ts";
import { refuseUpgrade, superviseUpgrade } from "./notebook-proxy-sockets.ts";
import {
  admitNotebookVisit,
  hubAway,
  hubSilent,
  type NotebookGate,
  type NotebookVisit,
} from "./notebook-proxy-visit.ts";

/** Passes what is below /notebooks/ on to a JupyterHub. */
export interface NotebookProxy {
  /** Takes a request when it is the notebooks'. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Whether a request asks for a websocket of the notebooks. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface NotebookProxyParts extends NotebookGate {
  /** Base URL of the hub. */
  readonly hubUrl: string;
  readonly exchange: CredentialExchange;
  /** Aborts when the gateway drains: websockets end then. */
  readonly draining: AbortSignal;
  /** Told of each request before it is answered. */
  readonly observe?: (request: IncomingMessage) => void;
  /** Default: 9.5 s, a minute, ten minutes. */
  readonly times?: NotebookTimes;
}

const usualTimes: NotebookTimes = { answerMs: 9_500, silenceMs: 60_000, idleSocketMs: 600_000 };

type Visits = WeakMap<IncomingMessage, NotebookVisit>;

/** A proxy whose upstream sees its own credential and never the caller's. */
export function createNotebookProxy(parts: NotebookProxyParts): NotebookProxy {
  const { answerMs } = parts.times ?? usualTimes;
  const visits: Visits = new WeakMap();
  const passOn = createPassOn(parts, visits);

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = requestIdOf(request.headers["x-request-id"]);
    try {
      const visit = await admitNotebookVisit(parts, { request, requestId });
      response.once("close", visit.leave);
      if (response.closed) return visit.leave();
      visits.set(request, visit);
      visit.wait = awaitAnswer(visit, { request, response, answerMs });
      response.once("close", () => visit.wait?.stop());
      await passOn(request, response, () => {});
    } catch (error) {
      writeError(request, response, error, { requestId });
    }
  };

  const connect = async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const requestId = requestIdOf(request.headers["x-request-id"]);
    // Whatever is wrong with a connection closes it, and that is what is listened for.
    socket.on("error", () => {});
    try {
      const visit = await admitNotebookVisit(parts, { request, requestId });
      if (socket.destroyed) return visit.leave();
      socket.once("close", visit.leave);
      visits.set(request, visit);
      passOn.upgrade(request, socket, head);
    } catch (error) {
      refuseUpgrade(error, { request, socket, requestId });
    }
  };

  return {
    handle(request, response) {
      if (!isNotebookPath(request.url ?? "")) return false;
      parts.observe?.(request);
      void serve(request, response);
      return true;
    },
    takesUpgrade: (request) => isNotebookPath(request.url ?? "") && isWebsocket(request),
    upgrade(request, socket, head) {
      if (socket instanceof Socket) void connect(request, socket, head);
      else socket.destroy();
    },
  };
}

/** The hop to the hub, for requests whose visit is known. */
function createPassOn({ hubUrl, exchange, draining, passes, times = usualTimes }: NotebookProxyParts, visits: Visits) {
  const hub = new URL("/", hubUrl);
  // A connection that was kept may be closing as the next request goes out, and a write is not sent twice.
  const Agent = hub.protocol === "https:" ? HttpsAgent : HttpAgent;
  return createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: hub.origin,
    changeOrigin: true,
    selfHandleResponse: true,
    upgradeTimeout: times.answerMs,
    agent: new Agent({ keepAlive: false }),
    on: {
      proxyReq: (upstream, request) => {
        const visit = visits.get(request);
        if (visit) visit.upstream = upstream;
      },
      proxyReqWs: (upstream, request, socket) => {
        const visit = visits.get(request);
        if (visit) superviseUpgrade(upstream, { visit, socket, hub, exchange, draining, idleMs: times.idleSocketMs });
        else upstream.destroy();
      },
      proxyRes: (answer, request, response) => {
        const visit = visits.get(request);
        if (!visit) return void response.destroy();
        if (answer.statusCode === 401 || answer.statusCode === 403) passes.doubt(visit.caller, visit.pass);
        relayAnswer(answer, { request, response, visit, hub, silenceMs: times.silenceMs });
      },
      error: (error, request, reply) => {
        const visit = visits.get(request);
        if (!visit || visit.answered) return;
        const failure = "statusCode" in error && error.statusCode === 504 ? hubSilent() : hubAway();
        if (reply instanceof ServerResponse) answerFailure(failure, { request, response: reply, visit });
        else refuseUpgrade(failure, { request, socket: reply, requestId: visit.requestId });
        visit.answered = true;
      },
    },
  });
}
