import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** All that an instance learns of a request's headers; nothing else of the caller's goes on. */
const toInstance = [
  "accept",
  "content-encoding",
  "content-length",
  "content-type",
  "inference-header-content-length",
  "user-agent",
] as const;

/** All that a caller learns of an answer's headers. */
const toCaller = [
  "content-encoding",
  "content-length",
  "content-type",
  "inference-header-content-length",
  "retry-after",
] as const;

/**
 * What an instance receives: the message's own headers, its own token, the trace and the request's id. `serverName` is the
 * host that is asked for, and the name that its certificate is held to; empty: its address.
 */
export function headersForInstance(
  headers: IncomingHttpHeaders,
  o: { token: string; requestId: string; trace: Headers; serverName: string },
): Record<string, string> {
  const kept = pick(headers, toInstance);
  const traced = Object.fromEntries([...o.trace].filter(([name]) => name === "traceparent" || name === "tracestate"));
  const host: Record<string, string> = o.serverName === "" ? {} : { host: o.serverName };
  return { ...host, ...kept, ...traced, "x-request-id": o.requestId, authorization: `Bearer ${o.token}` };
}

/** What an instance answers is its handler's: a browser shows it as a foreign page, without scripts and without our origin. */
const foreignPage = {
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** What a caller receives. `version`: the version of the deployment that answered. */
export function headersForCaller(
  answered: IncomingHttpHeaders,
  o: { requestId: string; version: string },
): OutgoingHttpHeaders {
  const own = { "cache-control": "no-store", "x-request-id": o.requestId, "x-deployment-version": o.version };
  return { ...pick(answered, toCaller), ...foreignPage, ...own };
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
