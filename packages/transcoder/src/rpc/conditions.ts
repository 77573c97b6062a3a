import type { Exchange } from "../exchange/exchange.ts";
import { codingWeights } from "../request/accept-encoding.ts";

/**
 * Metadata that tells a service what a REST client said about the answer, and the transcoder that the client has it already. The names
 * are not those of HTTP: what a transport or a browser says there by itself must not change what an RPC answers.
 */
const names = {
  acceptEncoding: "transcoder-accept-encoding",
  ifNoneMatch: "transcoder-if-none-match",
  notModified: "transcoder-not-modified",
} as const;

/** What any transport takes as metadata. A longer list of tags is judged when the answer is there. */
const metadataForm = /^[ -~]{1,1024}$/;

/** Adds to an RPC's metadata what the client says about the answer. `rendered`: whether the service may render it. */
export function setConditions(headers: Headers, exchange: Exchange, { rendered }: { rendered: boolean }): void {
  if (rendered) {
    const { gzip, br } = codingWeights(exchange.header("accept-encoding"));
    const accepted = [...(gzip > 0 ? ["gzip"] : []), ...(br > 0 ? ["br"] : [])];
    headers.set(names.acceptEncoding, accepted.join(",") || "identity");
  }
  const tags = isRead(exchange) ? exchange.header("if-none-match") : undefined;
  if (tags !== undefined && metadataForm.test(tags)) headers.set(names.ifNoneMatch, tags);
}

/** Whether the client has the answer already: because the service says so, or by the answer's tag. */
export function isKnownAnswer(exchange: Exchange, header: Headers): boolean {
  if (!isRead(exchange)) return false;
  return header.has(names.notModified) || isListed(exchange.header("if-none-match"), header.get("etag"));
}

/** The encodings that the client takes; undefined where no rendered body is wanted. For a service. */
export function acceptedEncodings(requestHeader: Headers): readonly string[] | undefined {
  return requestHeader.get(names.acceptEncoding)?.split(",");
}

/** What a handler of an RPC knows of its call. */
export interface CallHeaders {
  readonly requestHeader: Headers;
  readonly responseHeader: Headers;
}

/**
 * Tags the answer, and says whether a REST client has it by that tag. Where it has, the service answers an empty message, which
 * becomes a 304: nothing needs to be read or rendered for it.
 */
export function isNotModified({ requestHeader, responseHeader }: CallHeaders, etag: string): boolean {
  responseHeader.set("etag", etag);
  const isKnown = isListed(requestHeader.get(names.ifNoneMatch) ?? undefined, etag);
  if (isKnown) responseHeader.set(names.notModified, "true");
  return isKnown;
}

function isRead({ method }: Exchange): boolean {
  return method === "GET" || method === "HEAD";
}

function isListed(tags: string | undefined, etag: string | null): boolean {
  if (tags === undefined || etag === null) return false;
  const weak = (tag: string) => tag.trim().replace(/^W\//, "");
  return tags.trim() === "*" || tags.split(",").some((tag) => weak(tag) === weak(etag));
}
