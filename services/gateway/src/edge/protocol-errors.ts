import type { Duplex } from "node:stream";
import { HttpError, requestIdOf } from "@aiplatform/transcoder";
import { malformed } from "./normalize-request.ts";
import { securityHeaders } from "./security-headers.ts";

/** What is told to who sends what is no request, by what it is. */
export const protocolErrors = {
  malformed: malformed(),
  headersTooLarge: new HttpError(431, "The request's headers are too large", "headers_too_large"),
  tooSlow: new HttpError(408, "The request did not arrive in time", "request_timeout"),
  expectation: new HttpError(417, "Only 100-continue may be expected", "expectation_failed"),
  tunnel: new HttpError(405, "This is not a proxy", "method_not_allowed", {
    allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  }),
} satisfies Record<string, HttpError>;

/** By Node's code for what is wrong. */
const byCode = new Map<string, HttpError>([
  ["HPE_HEADER_OVERFLOW", protocolErrors.headersTooLarge],
  ["ERR_HTTP_REQUEST_TIMEOUT", protocolErrors.tooSlow],
]);

/** What an error of a connection is answered with; undefined where the client is gone. */
export function protocolErrorOf(code: string): HttpError | undefined {
  return code === "ECONNRESET" || code === "EPIPE" ? undefined : (byCode.get(code) ?? protocolErrors.malformed);
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** So long a client may take to read the last that it is told, in milliseconds; nothing it sends meanwhile is looked at. */
const lingerMs = 1_000;

/** Answers a connection on which requests can no longer be told apart, and ends it. */
export function endConnection(socket: Duplex, { status, detail, code, headers }: HttpError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ detail, code });
  const lines = [
    ...securityHeaders,
    ...Object.entries(headers),
    ["content-type", "application/json"],
    ["content-length", body.length],
    ["x-request-id", requestIdOf(undefined)],
    ["connection", "close"],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join("")}\r\n${body}`);
  // Closing at once would reset the connection where something is still on its way, and the answer would be lost with it.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
