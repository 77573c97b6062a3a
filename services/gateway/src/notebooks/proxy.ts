import { Agent as HttpAgent, type IncomingMessage, ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import type { CredentialExchange } from "@aiplatform/caller-identity";
import { writeError } from "@aiplatform/transcoder";
import { createProxyMiddleware } from "http-proxy-middleware";
import type { AdmissionControl, EntryPoint, Upgrades } from "../admission/admission-control.ts";
import type { Authenticator } from "../admission/authenticator.ts";
import type { RequestObservation } from "../edge/request-observation.ts";
import { isWebsocket } from "./headers.ts";
import type { NotebookPasses } from "./passes.ts";
import { isNotebookPath } from "./path.ts";
import {
  createProxyRequest,
  hubAway,
  hubSilent,
  notebookTarget,
  type ProxyRequest,
  readJupyterCredential,
} from "./proxy-request.ts";
import { answerFailure, awaitResponse, type NotebookTimeouts, relayResponse } from "./response.ts";
import { refuseUpgrade, superviseUpgrade } from "./sockets.ts";

/** Passes what is below /notebooks/ on to a JupyterHub. */
export interface NotebookProxy {
  readonly entryPoint: EntryPoint;
  readonly upgrades: Upgrades;
}

export interface NotebookProxyOptions {
  /** Base URL of the hub. */
  readonly hubUrl: string;
  readonly passes: NotebookPasses;
  readonly authenticator: Pick<Authenticator, "recordDenied">;
  readonly exchange: CredentialExchange;
  /** Aborts when the gateway drains: websockets end then. */
  readonly draining: AbortSignal;
  readonly observation: Pick<RequestObservation, "operation" | "websocket">;
  /** Default: 9.5 s, a minute, ten minutes. */
  readonly timeouts?: NotebookTimeouts;
}

const defaultTimeouts: NotebookTimeouts = { responseMs: 9_500, silenceMs: 60_000, idleSocketMs: 600_000 };

type ProxyRequests = WeakMap<IncomingMessage, ProxyRequest>;

/** A proxy whose upstream sees its own credential and never the caller's. */
export function createNotebookProxy(control: AdmissionControl, options: NotebookProxyOptions): NotebookProxy {
  const { responseMs } = options.timeouts ?? defaultTimeouts;
  const proxyRequests: ProxyRequests = new WeakMap();
  const passOn = createPassOn(options, proxyRequests);
  const match = (request: IncomingMessage) =>
    isNotebookPath(request.url ?? "") ? { arrivedAt: performance.now() } : undefined;

  const entryPoint = control.entryPoint<{ readonly arrivedAt: number }>({
    showsRateLimit: false,
    refundsUnavailable: false,
    match,
    target: () => notebookTarget,
    begin({ request }) {
      readJupyterCredential(request);
      options.observation.operation(request, { path: notebookTarget.path });
    },
    async serve({ match: { arrivedAt }, request, response, ...name }, { caller }) {
      const proxied = await createProxyRequest(options, { request, arrivedAt, caller, ...name });
      if (response.closed) return;
      const closed = closeOf(response);
      proxyRequests.set(request, proxied);
      proxied.wait = awaitResponse(proxied, { request, response, responseMs });
      response.once("close", () => proxied.wait?.stop());
      await passOn(request, response, () => {});
      await closed;
    },
    fail: ({ request, response, requestId }, error) => writeError(request, response, error, { requestId }),
  });

  const upgrades = control.upgrades<{ readonly arrivedAt: number }>({
    match: (request) => (isWebsocket(request) ? match(request) : undefined),
    target: notebookTarget,
    begin({ request, socket }) {
      options.observation.websocket(socket);
      readJupyterCredential(request);
    },
    async serve({ match: { arrivedAt }, request, socket, head, ...name }, { caller }) {
      const proxied = await createProxyRequest(options, { request, arrivedAt, caller, ...name });
      if (socket.destroyed) return;
      const closed = closeOf(socket);
      proxyRequests.set(request, proxied);
      passOn.upgrade(request, socket, head);
      await closed;
    },
    fail: ({ request, socket, requestId }, error) => refuseUpgrade(error, { request, socket, requestId }),
  });
  return { entryPoint, upgrades };
}

function closeOf(stream: ServerResponse | Socket): Promise<void> {
  return new Promise((resolve) => stream.once("close", resolve));
}

/** The hop to the hub, for requests that were admitted. */
function createPassOn(
  { hubUrl, exchange, draining, passes, timeouts = defaultTimeouts }: NotebookProxyOptions,
  proxyRequests: ProxyRequests,
) {
  const hub = new URL("/", hubUrl);
  // A connection that was kept may be closing as the next request goes out, and a write is not sent twice.
  const Agent = hub.protocol === "https:" ? HttpsAgent : HttpAgent;
  return createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: hub.origin,
    changeOrigin: true,
    selfHandleResponse: true,
    upgradeTimeout: timeouts.responseMs,
    agent: new Agent({ keepAlive: false }),
    on: {
      proxyReq: (upstream, request) => {
        const proxied = proxyRequests.get(request);
        if (proxied) proxied.upstream = upstream;
      },
      proxyReqWs: (upstream, request, socket) => {
        const proxied = proxyRequests.get(request);
        if (proxied)
          superviseUpgrade(upstream, { proxied, socket, hub, exchange, draining, idleMs: timeouts.idleSocketMs });
        else upstream.destroy();
      },
      proxyRes: (answer, request, response) => {
        const proxied = proxyRequests.get(request);
        if (!proxied) return void response.destroy();
        if (answer.statusCode === 401 || answer.statusCode === 403) passes.doubt(proxied.caller, proxied.pass);
        relayResponse(answer, { request, response, proxied, hub, silenceMs: timeouts.silenceMs });
      },
      error: (error, request, reply) => {
        const proxied = proxyRequests.get(request);
        if (!proxied || proxied.answered) return;
        const failure = "statusCode" in error && error.statusCode === 504 ? hubSilent() : hubAway();
        if (reply instanceof ServerResponse) answerFailure(failure, { request, response: reply, proxied });
        else refuseUpgrade(failure, { request, socket: reply, requestId: proxied.requestId });
        proxied.answered = true;
      },
    },
  });
}
