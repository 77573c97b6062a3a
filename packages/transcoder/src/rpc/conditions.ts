import { chooseAlternative } from "../exchange/accept.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { codingWeights } from "../request/accept-encoding.ts";

/**
 * Metadata that tells a service what a REST client said about the answer, and the transcoder that the client has it already. The names
 * are not those of HTTP: what a transport or a browser says there by itself must not change what an RPC answers.
 */
const names = {
  accept: "transcoder-accept",
  acceptEncoding: "transcoder-accept-encoding",
  ifNoneMatch: "transcoder-if-none-match",
  notModified: "transcoder-not-modified",
} as const;

/** What any transport takes as metadata. A longer list of tags is judged when the answer is there. */
const metadataForm = /^[ -~]{1,1024}$/;

/** What an answer may be besides the message as JSON. */
export interface AnswerForms {
  /** Whether the service may render it. */
  readonly rendered: boolean;
  /** Media types in which it may do so, beside JSON. */
  readonly alternatives: readonly string[];
}

/** Adds to an RPC's metadata what the client says about the answer. */
export function setConditions(headers: Headers, exchange: Exchange, { rendered, alternatives }: AnswerForms): void {
  if (alternatives.length > 0) {
    const alternative = chooseAlternative(exchange.header("accept"), alternatives);
    if (alternative !== undefined) headers.set(names.accept, alternative);
  }
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

/** The media type of the route's `alternatives` that the client wants instead of JSON; undefined: JSON. For a service. */
export function wantedAlternative({ requestHeader }: Pick<CallHeaders, "requestHeader">): string | undefined {
  return requestHeader.get(names.accept) ?? undefined;
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
