import type { IncomingMessage } from "node:http";
import { HttpError } from "@aiplatform/transcoder";

/** More than any honest client sends; what is beyond a limit of Node's is dropped there without a word. */
export const maxHeaders = 200;

/** Where an authority may stand in a request line; what follows is what the others have alone. */
const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;
/** Printable ASCII without what is not sent: a fragment. */
const sendable = /^[!"$-~]+$/;
/** `host`, `host:port`, an IPv6 address in brackets; empty where the client knows none. */
const authority = /^(?:[A-Za-z0-9._~%!$&'()*+;=-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/**
 * Makes a request's target a path, whichever of its forms was sent, and answers why a request is invalid. Afterwards
 * every hop reads the same path, the same host and the same body in it.
 */
export function normalizeRequest(request: IncomingMessage): HttpError | undefined {
  const { headers, rawHeaders, url = "" } = request;
  if (rawHeaders.length > 2 * maxHeaders) {
    return new HttpError(431, "The request has too many headers", "headers_too_large");
  }
  if (!sendable.test(url) || !isVersionKnown(request) || !isFramedPlainly(request)) return malformed();
  if (!url.startsWith("/") && url !== "*") {
    const [, host, path = ""] = absolute.exec(url) ?? [];
    if (!host) return malformed();
    // RFC 9112, 3.2.2: what the header says counts no more.
    headers.host = host;
    request.url = path.startsWith("/") ? path : `/${path}`;
  }
  return authority.test(headers.host ?? "") ? undefined : malformed();
}

/** What came before HTTP/1.0 has no headers, and a request of HTTP/1.1 names its host. */
function isVersionKnown({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" ? headers.host !== undefined : httpVersion === "1.0";
}

/** No service here undoes codings other than `chunked`, and HTTP/1.0 has no codings at all. */
function isFramedPlainly({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  return coding === undefined || (coding.toLowerCase() === "chunked" && httpVersion === "1.1");
}

export function malformed(): HttpError {
  return new HttpError(400, "The request is not valid HTTP", "malformed_request");
}
