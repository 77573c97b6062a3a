import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WatchedCertificate } from "@aiplatform/service-host";
import { ConnectionWatch } from "./connection-watch.ts";
import { bridgeStream } from "./http2/bridge.ts";
import { chooseProtocol } from "./http2/choose-protocol.ts";
import { Http2Sessions } from "./http2/sessions.ts";
import { InFlightResponses } from "./in-flight-responses.ts";
import { maxHeaders, normalizeRequest } from "./normalize-request.ts";
import { endConnection, protocolErrors } from "./protocol-errors.ts";
import { takeRequestId } from "./request-name.ts";
import { onlyOverTls, securityHeaders } from "./security-headers.ts";
import { acceptTls } from "./tls.ts";

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
  /** Age at which a connection of HTTP/2 gives way to a new one, ms. Default 5 min. */
  readonly connectionAgeMs: number;
}

const defaultLimits: EdgeLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  responseTimeoutMs: 30_000,
  minResponseBytesPerSecond: 8_192,
  keepAliveTimeoutMs: 75_000,
  connectionAgeMs: 300_000,
};
/** How often the limits of requests are looked at, at most. */
const checkEveryMs = 1_000;
const maxHeaderBytes = 16_384;

/** Who takes connections that shall become something else than HTTP. In the gateway only admission makes one. */
export interface UpgradeHandler {
  /** Whether it takes this one; otherwise the request is answered like any other. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Tells it by method and path. */
export type TakesStream = (request: Pick<IncomingMessage, "method" | "url">) => boolean;

export interface EdgeOptions {
  readonly upgrades?: UpgradeHandler | undefined;
  /** Whether a request may last as long as its client likes over HTTP/2. Default: none. */
  readonly takesStream?: TakesStream;
  /** Whether the reader of a body judges its pauses, so that the request may last over any HTTP. Default: none. */
  readonly passesOnBody?: TakesStream;
  /** Unset: without TLS. */
  readonly certificate?: WatchedCertificate | undefined;
  readonly limits?: Partial<EdgeLimits>;
}

/** A server of HTTP/1.1 and HTTP/2, which clients choose by ALPN or by their first bytes. */
export interface EdgeServer extends Server {
  readonly http2: Http2Sessions;
  readonly watch: ConnectionWatch;
}

/**
 * An HTTP server that gives a slow, oversized or malformed request a short answer and its connection back. Every request
 * reaches `listener` with a harmless `X-Request-Id`, which every answer has, too.
 */
export function createEdgeServer(
  listener: RequestListener,
  { upgrades, takesStream = () => false, passesOnBody = () => false, certificate, limits: given }: EdgeOptions = {},
): EdgeServer {
  const limits = { ...defaultLimits, ...given };
  const { headersTimeoutMs, requestTimeoutMs } = limits;
  const headers = certificate ? new Map([...securityHeaders, onlyOverTls]) : securityHeaders;
  const parts = { listener, upgrades, passesOnBody, headers, limits };
  const create = (timeouts: ServerOptions) => createHttp1Server(parts, timeouts);
  const server = create({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(checkEveryMs, headersTimeoutMs, requestTimeoutMs),
  });
  const http1 = speakerOf(server);
  const lasting = speakerOf(create({ headersTimeout: 0, requestTimeout: 0 }));
  const watch = new ConnectionWatch({ ...limits, unusedTimeoutMs: limits.keepAliveTimeoutMs });
  const http2 = new Http2Sessions(
    { idleTimeoutMs: limits.keepAliveTimeoutMs, maxAgeMs: limits.connectionAgeMs },
    (stream, rawHeaders, client) =>
      bridgeStream(stream, rawHeaders, {
        client,
        speak: (connection, request) => (takesStream(request) || passesOnBody(request) ? lasting : http1)(connection),
        watch: (answered, written) => watch.addStream(answered, written),
      }),
  );
  const speakers = { http1, http2: (socket: Socket) => http2.accept(socket), timeoutMs: headersTimeoutMs };
  const take = (socket: Socket) => {
    watch.add(socket);
    chooseProtocol(socket, speakers);
  };
  server.removeAllListeners("connection");
  if (certificate) server.on("connection", (socket: Socket) => watch.add(socket));
  server.on("connection", certificate ? acceptTls({ certificate, handshakeTimeoutMs: headersTimeoutMs, take }) : take);
  server.once("close", () => watch.stop());
  return Object.assign(server, { http2, watch });
}

/** What Node does with a connection, which may also be one inside this process. */
function speakerOf(server: Server): (connection: Duplex) => void {
  const speakers = server.listeners("connection");
  return (connection) => {
    for (const speak of speakers) Reflect.apply(speak, server, [connection]);
  };
}

interface Http1Options extends Pick<EdgeOptions, "upgrades"> {
  readonly listener: RequestListener;
  readonly passesOnBody: TakesStream;
  /** On every answer. */
  readonly headers: Map<string, string>;
  readonly limits: EdgeLimits;
}

function createHttp1Server(options: Http1Options, timeouts: ServerOptions): Server {
  const { listener, upgrades, passesOnBody, headers, limits } = options;
  const responses = new InFlightResponses();
  const arrive = (request: IncomingMessage, response: ServerResponse) => {
    if (responses.isRefused(request.socket)) return;
    responses.begin(request, response);
    const requestId = takeRequestId(request);
    response.setHeaders(headers);
    response.setHeader("x-request-id", requestId);
    const error = normalizeRequest(request);
    if (error === undefined) listener(request, response);
    else responses.refuseRequest(request, response, error);
  };
  const server = createServer(
    {
      ...timeouts,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
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
    response.setHeaders(headers);
    responses.refuseRequest(request, response, protocolErrors.expectation);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    takeRequestId(request);
    upgrades?.upgrade(request, socket, head);
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => endConnection(socket, protocolErrors.tunnel));
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket: Socket) => {
    const arriving = code === "ERR_HTTP_REQUEST_TIMEOUT" ? responses.arriving(socket) : undefined;
    // Node says so once, and leaves the connection to us.
    if (arriving === undefined || !passesOnBody(arriving)) responses.refuse(socket, code);
  });
  return server;
}

/** Refuses new requests, lets those under way finish for up to `graceMs`, and cuts the rest. */
export async function stopEdgeServer(server: EdgeServer, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Of those, Node knows only where requests were read before.
  server.watch.endUnused();
  server.http2.close();
  const grace = setTimeout(() => {
    server.http2.destroy();
    server.watch.endAll();
  }, graceMs);
  await closed;
  clearTimeout(grace);
}
