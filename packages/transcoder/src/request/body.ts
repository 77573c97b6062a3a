import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { HttpError } from "../errors/http-error.ts";

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const unbrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

export interface BodyLimits {
  /** Most bytes, before and after decompression. */
  readonly bodyBytes: number;
  /** Milliseconds until the last byte must be there. */
  readonly bodyTimeoutMs: number;
}

/** A body that cannot be read at all, whatever it says. */
export const unreadable = (headers: Readonly<Record<string, string>> = {}) =>
  new HttpError(400, "There was an error parsing the body", "body_unreadable", headers);
const tooLarge = (limit: number, headers: Readonly<Record<string, string>> = { connection: "close" }) =>
  new HttpError(413, `Body is larger than ${limit} bytes`, "body_too_large", headers);

/**
 * A client that is cut off while it sends never reads why. Up to this declared size the rest is therefore let in and
 * thrown away, which costs no memory; beyond it, and where no size is declared, the connection is closed.
 */
const discardedBytes = 64 * 1024 * 1024;

/** Reads a whole body within limits, decompressed. Throws {@link HttpError}: 400, 408, 413, 415. Undefined when there is none. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer | undefined> {
  const coding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (!["identity", "gzip", "x-gzip", "br", ""].includes(coding)) {
    throw new HttpError(415, "Content-Encoding may be identity, gzip or br", "unsupported_encoding", {
      "accept-encoding": "gzip, br",
    });
  }
  const bytes = await decompress(await readBytes(request, limits), coding, limits.bodyBytes);
  return bytes.length === 0 ? undefined : bytes;
}

/** Reads a whole body within limits, as it was sent. Throws {@link HttpError}: 408, 413. */
export async function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes, declared > discardedBytes ? undefined : {});
  return collect(request, limits);
}

/** A body that is no JSON, as text. Throws {@link HttpError} 400 when it is none. */
export function plainText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable();
  return bytes.toString("utf8");
}

function collect(request: IncomingMessage, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const fail = (error: HttpError) => {
    stop();
    reject(error);
  };
  const slow = () => fail(new HttpError(408, "Body did not arrive in time", "body_timeout", { connection: "close" }));
  const timer = setTimeout(slow, bodyTimeoutMs);
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > bodyBytes) fail(tooLarge(bodyBytes));
    else chunks.push(chunk);
  };
  const onEnd = () => {
    stop();
    resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  };
  const onGone = () => fail(new HttpError(499, "Client closed the request", "canceled"));
  // At once rather than when the promise is looked at: the stream closes in between.
  const stop = () => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onGone);
  };
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return promise;
}

async function decompress(bytes: Buffer, coding: string, maxOutputLength: number): Promise<Buffer> {
  if (coding === "identity" || coding === "") return bytes;
  try {
    return await (coding === "br" ? unbrotli(bytes, { maxOutputLength }) : gunzip(bytes, { maxOutputLength }));
  } catch (error) {
    const isBomb = isCoded(error) && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isBomb ? tooLarge(maxOutputLength) : unreadable();
  }
}

function isCoded(error: unknown): error is { code: unknown } {
  return typeof error === "object" && error !== null && "code" in error;
}

/** Whether a content type is JSON: `application/json` or `application/…+json`, with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType === "application/json" || /^\s*application\/(?:[^;/]*\+)?json\s*(?:;|$)/i.test(contentType ?? "");
}
