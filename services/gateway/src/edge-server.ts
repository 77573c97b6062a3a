import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { securityHeaders } from "./security-headers.ts";

/** Time an honest client needs for its headers and its body at most, in milliseconds. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** How often the two are looked at. */
const checkEveryMs = 1_000;
/** Longer than the idle time of common load balancers, so that they close first and never meet a closing connection. */
const keepAliveTimeoutMs = 75_000;
const maxHeaderBytes = 16_384;

/** What a connection is told that never became a request, by Node's code for why. */
const refusals: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time"],
};
const malformed: [string, string] = ["400 Bad Request", "The request is not valid HTTP"];

/** Who takes connections that shall become something else than HTTP. */
export interface Upgrades {
  /** Whether it takes this one; otherwise the request is answered like any other. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** An HTTP server that gives a slow, oversized or malformed request a short answer and its connection back. */
export function createEdgeServer(listener: RequestListener, upgrades?: Upgrades): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: true,
      shouldUpgradeCallback: (request) => upgrades?.takesUpgrade(request) ?? false,
    },
    (request, response) => {
      response.setHeaders(securityHeaders);
      listener(request, response);
    },
  );
  if (upgrades) server.on("upgrade", (request, socket, head) => upgrades.upgrade(request, socket, head));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(socket, error.code));
  return server;
}

function refuse(socket: Socket, code = ""): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = refusals[code] ?? malformed;
  const body = JSON.stringify({ detail });
  const headers = [
    ...securityHeaders,
    ["content-type", "application/json"],
    ["content-length", body.length],
    ["connection", "close"],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join("")}\r\n${body}`);
}

/** Refuses new requests, lets those under way finish for up to `graceMs`, and cuts the rest. */
export async function stopEdgeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(grace);
}
