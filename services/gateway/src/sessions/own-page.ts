import type { IncomingMessage } from "node:http";
import { errorDomain, type PresentedCredential, type SessionCookie } from "@aiplatform/caller-identity";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";

const safeMethods: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Where a read may come from: a page of ours, or the address bar. */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"]);
/**
 * What a read may be for. What users have uploaded or an instance has answered must never run as a script, style or frame of our
 * origin.
 */
const harmlessUses: ReadonlySet<string> = new Set(["empty", "document", "image", "audio", "video", "track"]);

/** The session of a request that shows no other credential, as the bearer that it is to the services. */
export function sessionCredential(
  { cookie }: IncomingMessage["headers"],
  sessionCookie: SessionCookie | undefined,
): PresentedCredential | undefined {
  const bearer = cookie === undefined ? undefined : sessionCookie?.tokenIn(cookie);
  return bearer === undefined ? undefined : { bearer, apiKey: "" };
}

/**
 * A browser sends the cookie by itself, whichever page asks: only pages of our own origin may use it. `SameSite` keeps the pages of other
 * sites out, this also those of other hosts and ports of the same site.
 */
export function isOwnPage(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  { origin }: Pick<SessionCookie, "origin">,
): boolean {
  const site = headers["sec-fetch-site"];
  const use = headers["sec-fetch-dest"];
  return safeMethods.has(method)
    ? (site === undefined || ownSites.has(String(site))) && (use === undefined || harmlessUses.has(String(use)))
    : headers.origin === origin && (site === undefined || site === "same-origin");
}

/** PERMISSION_DENIED: a page that is not ours used the session. */
export function foreignOrigin({ origin }: Pick<SessionCookie, "origin">): ConnectError {
  const message = `Only pages of ${origin} may use the browser's session; a program shows an API key instead`;
  const value = { reason: "FOREIGN_ORIGIN", domain: errorDomain };
  return new ConnectError(message, Code.PermissionDenied, undefined, [{ desc: ErrorInfoSchema, value }]);
}
