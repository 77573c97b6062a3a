import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "@aiplatform/transcoder";

/** Headers of ours that a page may read beside those that every page may. */
const exposed = [
  "Allow",
  "ETag",
  // Of gRPC-Web: how a call ended that has no messages.
  "Grpc-Message",
  "Grpc-Status",
  "Grpc-Status-Details-Bin",
  "Idempotency-Replayed",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Deployment-Version",
  "X-Error-Hint",
  "X-Request-Id",
];
/** Headers that a page may send to every path, besides those that operations declare. */
const sent = [
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "If-Match",
  "If-None-Match",
  "Last-Event-ID",
  "X-Request-Id",
  "traceparent",
  "tracestate",
  // Of Connect and gRPC-Web.
  "Connect-Protocol-Version",
  "Connect-Timeout-Ms",
  "Grpc-Timeout",
  "X-Grpc-Web",
  "X-User-Agent",
];
/** How long a browser may remember what it was told, in seconds. */
const maxAgeSeconds = 600;
const begins = "access-control-";

/** Which pages may use the API from a browser. */
export interface Cors {
  /** Says on an answer whether the page that asks may have it. */
  writeHeaders(request: IncomingMessage, response: ServerResponse): void;
  /** Takes back what was told: no page may have this answer. */
  removeHeaders(response: ServerResponse): void;
}

/**
 * Opens the API to pages of these origins; without origins, answers have no CORS headers. A page of
 * another origin shows its token itself: the cookie of a session counts for pages of our own origin alone.
 */
export function createCors(
  origins: readonly string[],
  operations: readonly Pick<Operation, "httpMethod" | "route">[],
): Cors {
  const allowed = new Set(origins);
  const methods = new Set(["GET", "HEAD", "POST", ...operations.map(({ httpMethod }) => httpMethod)]);
  const declared = operations.flatMap(({ route }) => route.headers.map(({ name }) => name));
  const preflight = {
    "access-control-allow-methods": [...methods].join(", "),
    "access-control-allow-headers": [...new Set([...sent, ...declared])].join(", "),
    "access-control-max-age": String(maxAgeSeconds),
  };
  return {
    writeHeaders({ method, headers }, response) {
      if (allowed.size === 0) return;
      // The answer to one origin must not be kept for another, nor for none.
      response.setHeader("vary", "Origin");
      const { origin } = headers;
      if (origin === undefined || !allowed.has(origin)) return;
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("access-control-expose-headers", exposed.join(", "));
      if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return;
      for (const [name, value] of Object.entries(preflight)) response.setHeader(name, value);
    },
    removeHeaders(response) {
      for (const name of response.getHeaderNames()) {
        if (name.startsWith(begins)) response.removeHeader(name);
      }
    },
  };
}

/** An origin as browsers write it. @throws Error for anything else, `*` included: then every page could use the API */
export function assertOrigin(text: string): void {
  const isOrigin =
    !text.includes("*") &&
    URL.canParse(text) &&
    /^https?:$/.test(new URL(text).protocol) &&
    new URL(text).origin === text;
  if (!isOrigin) throw new Error(`must be origins such as https://console.example; ${text} is not one`);
}
