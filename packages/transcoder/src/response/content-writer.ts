import type { Content, ContentHead } from "@aiplatform/contract/transcoder/v1/json";
import type { DescField, Message } from "@bufbuild/protobuf";
import type { AnswerHeaders, AnswerStream, Exchange } from "../exchange/exchange.ts";
import type { RpcStream } from "../rpc/caller.ts";
import { isKnownAnswer } from "../rpc/conditions.ts";
import { asBuffer } from "./renderer.ts";
import { answerHeaders } from "./writer.ts";

/** A stream of bytes as it is to be answered. */
export interface ContentAnswer {
  readonly requestId: string;
  readonly opening: Promise<RpcStream>;
  /** Field of the messages that holds the bytes. */
  readonly field: DescField;
  /** Media types that the bytes may have; empty: any. */
  readonly mediaTypes: readonly string[];
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Told of a failure after the first byte. */
  readonly onFailure: (error: unknown) => void;
}

/** A service answers bytes without a head, of a type that its contract does not name, or others than the head says. */
export class UnfitContentError extends Error {
  override name = "UnfitContentError";
}

/**
 * Answers a server stream of `Content` as its bytes, and waits for slow readers. Throws what fails before the first byte; a later failure
 * breaks the answer off, so that no reader takes a part for the whole.
 */
export async function writeContent(exchange: Exchange, answer: ContentAnswer): Promise<void> {
  const { header, messages } = await answer.opening;
  const pieces = messages[Symbol.asyncIterator]();
  try {
    const first = await pieces.next();
    const headers = answerHeaders(header, answer.requestId);
    if (isKnownAnswer(exchange, header)) return exchange.send(304, headers);
    const content = first.done === true ? undefined : contentOf(first.value, answer.field);
    if (content?.head === undefined) throw new UnfitContentError("the service answered bytes without their head");
    const { head } = content;
    assertDeclared(head, answer.mediaTypes);
    const status = head.range === undefined ? 200 : 206;
    Object.assign(headers, contentHeaders(head));
    if (exchange.method === "HEAD") return exchange.send(status, headers);
    const body = new ContentBody(exchange.stream(status, headers), lengthOf(head), answer.signal);
    await body
      .write(content.data)
      .then(() => writeRest(body, pieces, answer.field))
      .catch((error: unknown) => breakOff(exchange, answer, error));
  } finally {
    await pieces.return?.();
  }
}

async function writeRest(body: ContentBody, pieces: AsyncIterator<Message>, field: DescField): Promise<void> {
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    await body.write(contentOf(next.value, field)?.data ?? new Uint8Array());
  }
  body.end();
}

function assertDeclared({ contentType }: ContentHead, mediaTypes: readonly string[]): void {
  const [mediaType = ""] = contentType.split(";", 1);
  if (mediaTypes.length === 0 || mediaTypes.includes(mediaType)) return;
  throw new UnfitContentError(`the service answered bytes of the type ${mediaType}, which its contract does not name`);
}

function breakOff(exchange: Exchange, { signal, onFailure }: ContentAnswer, error: unknown): void {
  exchange.abandon();
  if (!signal.aborted) onFailure(error);
}

/** The body of an answer whose length was promised. */
class ContentBody {
  readonly #stream: AnswerStream;
  readonly #signal: AbortSignal;
  #left: number;

  constructor(stream: AnswerStream, length: number, signal: AbortSignal) {
    this.#stream = stream;
    this.#left = length;
    this.#signal = signal;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength === 0) return;
    this.#left -= bytes.byteLength;
    if (this.#left < 0) throw new UnfitContentError("the service answered more bytes than it announced");
    if (!this.#stream.write(asBuffer(bytes))) await this.#stream.drained(this.#signal);
  }

  end(): void {
    if (this.#left > 0) throw new UnfitContentError("the service answered fewer bytes than it announced");
    this.#stream.end();
  }
}

/** The value of the field is a `Content`: the contract was checked for it. */
function contentOf(message: Message, { localName }: DescField): Content | undefined {
  return (message as Message & Record<string, unknown>)[localName] as Content | undefined;
}

function lengthOf({ sizeBytes, range }: ContentHead): number {
  return Number(range?.lengthBytes ?? sizeBytes);
}

/** What was uploaded may be a page with scripts: no browser shows it, whatever its type. */
function contentHeaders(head: ContentHead): AnswerHeaders {
  const { contentType, fileName, sizeBytes, sha256, range } = head;
  const name = fileName.replace(/[^A-Za-z0-9._-]/g, "_");
  const [first, length] = [range?.offset ?? 0n, BigInt(lengthOf(head))];
  return {
    "content-type": contentType || "application/octet-stream",
    "content-length": `${length}`,
    "content-disposition": name === "" ? "attachment" : `attachment; filename="${name}"`,
    "accept-ranges": "bytes",
    ...(range === undefined ? {} : { "content-range": `bytes ${first}-${first + length - 1n}/${sizeBytes}` }),
    ...(sha256.length === 0 ? {} : { "repr-digest": `sha-256=:${asBuffer(sha256).toString("base64")}:` }),
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
}
