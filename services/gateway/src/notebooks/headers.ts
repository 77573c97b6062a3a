import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { hopByHopOf, listOf } from "../hop-by-hop.ts";

/** What a hub is told of the caller. Both are secrets of a few minutes. */
export interface PassedIdentity {
  readonly hubToken: string;
  readonly signedIdentity: string;
}

/** Header that carries the caller's identity, signed by us. */
const identityHeader = "x-platform-identity";

/**
 * Ours, or claims about the caller that only we may make. No hub sees what a client outside wrote there. Origin and
 * Referer have been judged here, and name us to a hub that knows itself by another name.
 */
const hiddenFromHub: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "cookie",
  "cookie2",
  "x-caller-context",
  "x-service-assertion",
  "forwarded",
  "x-real-ip",
  "x-original-url",
  "x-rewrite-url",
  "x-http-method-override",
  "x-scheme",
  "x-proxied-path",
  "via",
  "origin",
  "referer",
  "idempotency-key",
]);
const hiddenFromHubPrefixes = ["x-forwarded-", "x-platform-", "x-remote-", "sec-fetch-"];

/** A websocket's client may show its token here, where it cannot set headers. */
const tokenProtocol = /^v1\.token\.websocket\.jupyter\.org\./i;

/** What a hub receives of a request: nothing of ours, nothing about the caller but what we say. */
export function headersForHub(
  request: IncomingMessage,
  o: PassedIdentity & { requestId: string },
): IncomingHttpHeaders {
  const isUpgrade = request.headers.upgrade !== undefined && isWebsocket(request);
  const staysHere = hopByHopOf(request.headers);
  const passes = ([name]: [string, unknown]) => !isHidden(name) && !staysHere(name);
  const headers: IncomingHttpHeaders = Object.fromEntries(Object.entries(request.headers).filter(passes));
  const protocols = headers["sec-websocket-protocol"];
  if (protocols !== undefined) {
    const others = protocols.split(",").filter((protocol) => !tokenProtocol.test(protocol.trim()));
    delete headers["sec-websocket-protocol"];
    if (others.length > 0) headers["sec-websocket-protocol"] = others.join(",").trim();
  }
  return {
    ...headers,
    ...(isUpgrade && { connection: "Upgrade", upgrade: "websocket" }),
    "x-request-id": o.requestId,
    authorization: `token ${o.hubToken}`,
    [identityHeader]: o.signedIdentity,
  };
}

/** Whether a request asks for a websocket. */
export function isWebsocket({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && listOf(headers.connection).has("upgrade")
  );
}

/** The query without the parameter in which Jupyter's clients show a token. */
export function withoutToken(url: string): string {
  const [path = "", ...rest] = url.split("?");
  const kept = rest
    .join("?")
    .split("&")
    .filter((pair) => nameOf(pair) !== "token");
  const query = kept.join("&");
  return query === "" ? path : `${path}?${query}`;
}

function nameOf(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  return ([...new URLSearchParams(name).keys()][0] ?? "").toLowerCase();
}

function isHidden(name: string): boolean {
  // To some servers an underscore is a hyphen.
  const plain = name.replaceAll("_", "-");
  return hiddenFromHub.has(plain) || hiddenFromHubPrefixes.some((beginning) => plain.startsWith(beginning));
}

/** What a hub may not say under our name: to set cookies, open our origin to others, or speak for the edge. */
const hiddenFromCaller: ReadonlySet<string> = new Set([
  "set-cookie",
  "set-cookie2",
  "authorization",
  "www-authenticate",
  "proxy-authenticate",
  "authentication-info",
  "content-security-policy",
  "content-security-policy-report-only",
  "strict-transport-security",
  "clear-site-data",
  "service-worker-allowed",
  "sourcemap",
  "x-sourcemap",
  "refresh",
  "link",
  "alt-svc",
  "report-to",
  "reporting-endpoints",
  "nel",
  "cache-control",
  "expires",
  "pragma",
  "x-frame-options",
  "x-request-id",
  "server",
  "x-powered-by",
  "x-jupyterhub-version",
  "via",
]);
const hiddenFromCallerPrefixes = ["access-control-", "cross-origin-", "x-platform-", "x-forwarded-"];

/**
 * On everything that comes from a hub. Whatever it is, a browser shows it as a foreign page: without scripts, without
 * our origin, and never in a frame.
 */
const ownHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** A hub sent the caller elsewhere. */
class ForeignRedirectError extends Error {
  override name = "ForeignRedirectError";
  constructor() {
    super("The notebook hub redirects to another place");
  }
}

/**
 * What a caller receives of a hub's headers. `asked`: the URL that the hub was asked for.
 * @throws ForeignRedirectError for a Location that is not the hub's own
 */
export function headersForCaller(
  answered: IncomingHttpHeaders,
  o: { asked: URL; requestId: string },
): OutgoingHttpHeaders {
  const staysHere = hopByHopOf(answered);
  const passes = ([name]: [string, unknown]) =>
    !hiddenFromCaller.has(name) &&
    !staysHere(name) &&
    name !== "transfer-encoding" &&
    !hiddenFromCallerPrefixes.some((beginning) => name.startsWith(beginning));
  const headers: OutgoingHttpHeaders = Object.fromEntries(Object.entries(answered).filter(passes));
  if (answered.location !== undefined) headers.location = ownPath(answered.location, o.asked);
  if (answered["content-location"] !== undefined) delete headers["content-location"];
  return { ...headers, ...ownHeaders, "x-request-id": o.requestId };
}

/** The hub's own path that a Location leads to. */
function ownPath(location: string, asked: URL): string {
  const target = URL.canParse(location, asked) ? new URL(location, asked) : undefined;
  const isOwn = target?.origin === asked.origin && /^\/notebooks(?:\/|$)/.test(target.pathname);
  if (!isOwn) throw new ForeignRedirectError();
  return target.pathname + target.search + target.hash;
}
