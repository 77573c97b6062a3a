import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { requestIdOf } from "@aiplatform/transcoder";
import { ConnectionWatch } from "./connection-watch.ts";
import { InFlightResponses } from "./in-flight-responses.ts";
import { maxHeaders, normalizeRequest } from "./normalize-request.ts";
import { endConnection, protocolErrors } from "./protocol-errors.ts";
import { securityHeaders } from "./security-headers.ts";

/** What a client has to keep to. */
export interface EdgeLimits {
  /** For a request's headers, from its first byte, ms. Default 10 s. */
  readonly headersTimeoutMs: number;
  /** For a whole request, its body included, ms. Default 30 s. */
  readonly requestTimeoutMs: number;
  /** To take some of an answer that waits for it, and to catch up when it is slower than the least rate, ms. Default 30 s. */
  readonly responseTimeoutMs: number;
  /** The least rate at which it takes an answer that waits for it, bytes a second. Default 8 KiB. */
  readonly minResponseBytesPerSecond: number;
  /**
   * To send a request on an open connection, the first included, ms. Default 75 s: longer than the idle time of common load
   * balancers, so that they close first and never meet a closing connection.
   */
  readonly keepAliveTimeoutMs: number;
}

const defaultLimits: EdgeLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  responseTimeoutMs: 30_000,
  minResponseBytesPerSecond: 8_192,
  keepAliveTimeoutMs: 75_000,
};
/** How often the limits of requests are looked at, at most. */
const checkEveryMs = 1_000;
const maxHeaderBytes = 16_384;

/** Who takes connections that shall become something else than HTTP. */
export interface Upgrades {
  /** Whether it takes this one; otherwise the request is answered like any other. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * An HTTP server that gives a slow, oversized or malformed request a short answer and its connection back. Every request
 * reaches `listener` with a harmless `X-Request-Id`, which every answer has, too.
 */
export function createEdgeServer(
  listener: RequestListener,
  upgrades?: Upgrades,
  given: Partial<EdgeLimits> = {},
): Server {
  const limits = { ...defaultLimits, ...given };
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = limits;
  const responses = new InFlightResponses();
  const arrive = (request: IncomingMessage, response: ServerResponse) => {
    if (responses.isRefused(request.socket)) return;
    responses.begin(request, response);
    const requestId = takeRequestId(request);
    response.setHeaders(securityHeaders);
    response.setHeader("x-request-id", requestId);
    const error = normalizeRequest(request);
    if (error === undefined) listener(request, response);
    else responses.refuseRequest(request, response, error);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(checkEveryMs, headersTimeoutMs, requestTimeoutMs),
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // Looked at together with what else a request needs, and answered like that.
      requireHostHeader: false,
      // Otherwise the first of two counts silently, while another hop may take the last.
      joinDuplicateHeaders: true,
      shouldUpgradeCallback: (request) => upgrades?.takesUpgrade(request) ?? false,
    },
    arrive,
  );
  server.maxHeadersCount = maxHeaders + 1;
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    if (responses.isRefused(request.socket)) return;
    takeRequestId(request);
    response.setHeaders(securityHeaders);
    responses.refuseRequest(request, response, protocolErrors.expectation);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    takeRequestId(request);
    upgrades?.upgrade(request, socket, head);
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => endConnection(socket, protocolErrors.tunnel));
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket: Socket) => {
    // Opened in advance: its client would read a 408 as the answer to what it is about to send. The watch ends it in time.
    const isUnused = code === "ERR_HTTP_REQUEST_TIMEOUT" && socket.bytesRead === 0;
    if (!isUnused) responses.refuse(socket, code);
  });
  watchConnections(server, limits);
  return server;
}

function watchConnections(server: Server, { keepAliveTimeoutMs: unusedTimeoutMs, ...limits }: EdgeLimits): void {
  const watch = new ConnectionWatch({ ...limits, unusedTimeoutMs });
  server.on("connection", (socket: Socket) => watch.add(socket));
  server.once("close", () => watch.stop());
}

/** From here on the header has a value that may be passed on and logged. */
function takeRequestId({ headers }: IncomingMessage): string {
  const requestId = requestIdOf(headers["x-request-id"]);
  headers["x-request-id"] = requestId;
  return requestId;
}

/** Refuses new requests, lets those under way finish for up to `graceMs`, and cuts the rest. */
export async function stopEdgeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(grace);
}
