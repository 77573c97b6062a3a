import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { HttpError } from "../errors/http-error.ts";
import type { BodyLimits, Exchange } from "../exchange/exchange.ts";

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const unbrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** A body that cannot be read at all, whatever it says. */
export const unreadable = (headers: HttpError["headers"] = {}) =>
  new HttpError(400, "There was an error parsing the body", "body_unreadable", headers);
export const tooLarge = (limit: number, headers: HttpError["headers"] = {}) =>
  new HttpError(413, `Body is larger than ${limit} bytes`, "body_too_large", headers);
export const tooSlow = (headers: HttpError["headers"] = {}) =>
  new HttpError(408, "Body did not arrive in time", "body_timeout", headers);
export const clientGone = () => new HttpError(499, "Client closed the request", "canceled");

/** A body that arrives in pieces. */
export class BodyPieces {
  readonly #maxBytes: number;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when there is no room for it. */
  add(piece: Uint8Array): boolean {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) return false;
    this.#pieces.push(piece);
    return true;
  }

  whole(): Buffer {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first instanceof Buffer ? first : Buffer.concat(this.#pieces);
  }
}

/** Reads a whole body within limits, decompressed. Throws {@link HttpError}: 400, 408, 413, 415, 499. Undefined when there is none. */
export async function readBody(exchange: Exchange, limits: BodyLimits): Promise<Buffer | undefined> {
  const coding = (exchange.header("content-encoding") ?? "identity").trim().toLowerCase();
  if (!["identity", "gzip", "x-gzip", "br", ""].includes(coding)) {
    throw new HttpError(415, "Content-Encoding may be identity, gzip or br", "unsupported_encoding", {
      "accept-encoding": "gzip, br",
    });
  }
  const bytes = await decompress(await exchange.readBytes(limits), coding, limits.bodyBytes);
  return bytes.length === 0 ? undefined : bytes;
}

/** A body that is no JSON, as text. Throws {@link HttpError} 400 when it is none. */
export function plainText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable();
  return bytes.toString("utf8");
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
