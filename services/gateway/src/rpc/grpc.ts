import type { IncomingMessage, ServerResponse } from "node:http";
import { finished, Writable } from "node:stream";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { isOverHttp2 } from "../edge/http2/bridge.ts";

const plainType = /^application\/grpc(?=$|[+;])/i;
const webType = /^application\/grpc-web(?=$|[+;])/i;
/** Of a message: flags and length. */
const headBytes = 5;
/** Marks the part of an answer in gRPC-Web that has the trailers. */
const trailersFlag = 0x80;
/** Marks what is compressed as `grpc-encoding` says. */
const compressedFlag = 0x01;
/** More than any trailers of ours have. */
const maxTrailerBytes = 65_536;

/** Whether a call is one of gRPC itself, which needs HTTP/2. */
export function isGrpc(request: IncomingMessage): boolean {
  return isOverHttp2(request) && plainType.test(request.headers["content-type"] ?? "");
}

/** What the same messages are in gRPC-Web: it differs from gRPC in how an answer ends, and passes over HTTP/1.1. */
export function asGrpcWeb(contentType = ""): string {
  return contentType.replace(plainType, "application/grpc-web");
}

/** The type of a gRPC answer that was given in gRPC-Web. */
export function asGrpc(contentType: string): string {
  return contentType.replace(webType, "application/grpc");
}

/** Trailers are read whole, so that few bytes cannot become many. */
const bounded = { maxOutputLength: maxTrailerBytes };
const decompressors: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, bounded),
  br: (bytes) => brotliDecompressSync(bytes, bounded),
};

/**
 * Writes an answer in gRPC-Web as one in gRPC: messages as they come, and the trailers at its end as those of HTTP. A service
 * compresses long trailers, those of an error with details; gRPC has no such form.
 */
export class GrpcAnswer extends Writable {
  readonly #response: ServerResponse;
  readonly #encoding: string;
  /** Bytes of the current message that are still to come. */
  #missing = 0;
  /** Of a message, as much of its head as there is; or of the trailers, from their head on. */
  #held: Buffer = Buffer.alloc(0);
  #hasTrailers = false;

  /** `encoding`: the answer's `grpc-encoding`. */
  constructor(response: ServerResponse, encoding: string) {
    super();
    this.#response = response;
    this.#encoding = encoding;
    finished(response, (error) => {
      if (error) this.destroy(error);
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const messages = this.#messagesOf(chunk);
    if (this.#held.length > maxTrailerBytes) done(broken());
    else if (messages.length === 0 || this.#response.write(Buffer.concat(messages))) done();
    else this.#response.once("drain", done);
  }

  override _final(done: (error?: Error | null) => void): void {
    const trailers = this.#trailers();
    if (!trailers) {
      done(broken());
      return;
    }
    this.#response.addTrailers(trailers);
    this.#response.end(() => done());
  }

  /** Takes the trailers out of what has come, and keeps what cannot be told apart yet. */
  #messagesOf(chunk: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#missing > 0) {
        messages.push(rest.subarray(0, this.#missing));
        const taken = Math.min(rest.length, this.#missing);
        this.#missing -= taken;
        rest = rest.subarray(taken);
        continue;
      }
      this.#held = Buffer.concat([this.#held, rest]);
      rest = Buffer.alloc(0);
      if (this.#hasTrailers || this.#held.length < headBytes) break;
      this.#hasTrailers = (this.#held.readUInt8(0) & trailersFlag) !== 0;
      if (this.#hasTrailers) break;
      this.#missing = headBytes + this.#held.readUInt32BE(1);
      rest = this.#held;
      this.#held = Buffer.alloc(0);
    }
    return messages;
  }

  #trailers(): [string, string][] | undefined {
    const isWhole = this.#hasTrailers && this.#held.length === headBytes + this.#held.readUInt32BE(1);
    if (!isWhole || this.#missing > 0) return undefined;
    const text = this.#plainTrailers(this.#held.readUInt8(0), this.#held.subarray(headBytes))?.toString("latin1");
    return text
      ?.split("\r\n")
      .filter((line) => line.includes(":"))
      .map(fieldOf);
  }

  #plainTrailers(flags: number, bytes: Buffer): Buffer | undefined {
    if ((flags & compressedFlag) === 0) return bytes;
    try {
      return decompressors[this.#encoding]?.(bytes);
    } catch {
      return undefined;
    }
  }
}

function fieldOf(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

function broken(): Error {
  return new Error("the service's answer broke off");
}
