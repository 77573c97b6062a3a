import type { Document, RenderedBody } from "@aiplatform/contract/transcoder/v1/json";
import type { Message } from "@bufbuild/protobuf";
import type { AnswerBody } from "../exchange/exchange.ts";
import { isDocument } from "../messages/field-traits.ts";
import type { Binding, Operation } from "../routes/operation.ts";
import { nextPageLink } from "./next-page-link.ts";
import { answerHeaders, type RestAnswer } from "./writer.ts";

/** What a reply came with. */
export interface ReplyContext {
  /** Headers of the RPC's answer. */
  readonly header: Headers;
  readonly requestId: string;
  /** The request's target. */
  readonly target: string;
}

/** How the replies of one operation are answered. */
export type AnswerRenderer = (reply: Message, context: ReplyContext) => RestAnswer;

/** What a renderer works with besides the operation. */
export interface RendererParts {
  /** Writes a reply as JSON. */
  readonly write: (reply: Message) => AnswerBody;
  /** Content-Security-Policy of documents. */
  readonly documentPolicy: string;
}

type Fields = Record<string, unknown>;

/** The default policy: a document may style itself, and nothing else. */
export const strictDocumentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** A service that answers success has a document to show, with a status that a success or a refusal may have. */
export class UnfitDocumentError extends Error {
  override name = "UnfitDocumentError";
}

/** A service renders a body in a media type that its contract names. */
export class UnfitRenderedBodyError extends Error {
  override name = "UnfitRenderedBodyError";
}

/** Compiles how an operation's replies are answered. */
export function answerRenderer(
  { status, route: { alternatives } }: Pick<Operation, "status" | "route">,
  { responseBody, renderedBody, nextCursor }: Pick<Binding, "responseBody" | "renderedBody" | "nextCursor">,
  { write, documentPolicy }: RendererParts,
): AnswerRenderer {
  if (isDocument(responseBody)) {
    const { localName } = responseBody;
    return (reply, context) => {
      // Of a document's field the value is a document; it is found by the descriptor's local name.
      const document = (reply as Message & Fields)[localName] as Document | undefined;
      return documentAnswer(document, {
        status,
        documentPolicy,
        headers: answerHeaders(context.header, context.requestId),
      });
    };
  }
  return (reply, { header, requestId, target }) => {
    const headers = answerHeaders(header, requestId);
    const cursor = nextCursor === undefined ? "" : String((reply as Message & Fields)[nextCursor.localName] ?? "");
    if (cursor !== "") {
      const next = nextPageLink(target, cursor);
      headers["link"] = headers["link"] === undefined ? next : `${headers["link"]}, ${next}`;
    }
    if (alternatives.length > 0) headers["vary"] = "Accept";
    const rendered = renderedBody && ((reply as Message & Fields)[renderedBody.localName] as RenderedBody | undefined);
    if (rendered === undefined) return { status, headers, body: write(reply) };
    if (rendered.contentType !== "") {
      headers["content-type"] = declaredType(rendered, alternatives);
      headers["x-content-type-options"] = "nosniff";
    }
    if (rendered.coding !== "") headers["content-encoding"] = rendered.coding;
    return { status, headers, body: asBuffer(rendered.data) };
  };
}

function declaredType({ contentType }: RenderedBody, alternatives: readonly string[]): string {
  if (alternatives.includes(contentType)) return contentType;
  const reason = `the service rendered a body of the type ${contentType}, which its contract does not name`;
  throw new UnfitRenderedBodyError(reason);
}

/** The same bytes: they are large. */
export function asBuffer(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer ? Buffer.from(buffer, byteOffset, byteLength) : Buffer.from(bytes);
}

function cookiesOf({ setCookie, furtherCookies }: Document): { "set-cookie"?: string[] } {
  const cookies = [setCookie, ...furtherCookies].filter((cookie) => cookie !== "");
  return cookies.length === 0 ? {} : { "set-cookie": cookies };
}

function documentAnswer(
  document: Document | undefined,
  { status, documentPolicy, headers }: Pick<RestAnswer, "status" | "headers"> & Pick<RendererParts, "documentPolicy">,
): RestAnswer {
  const code = document?.status || status;
  if (document === undefined) throw new UnfitDocumentError("the service answered without a document");
  if (code < 200 || code > 599) throw new UnfitDocumentError(`the service answered a document with status ${code}`);
  return {
    status: code,
    headers: {
      ...headers,
      // What is unknown must not be guessed to be a page.
      "content-type": document.contentType || "application/octet-stream",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": documentPolicy,
      ...(document.location === "" ? {} : { location: document.location }),
      ...cookiesOf(document),
    },
    body: Buffer.from(document.data),
  };
}
