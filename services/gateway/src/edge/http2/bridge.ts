import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as requestOver } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { hopByHopOf } from "../../hop-by-hop.ts";

/** So long an answered client may go on sending. */
const lingerMs = 1_000;

/** Ends of connections inside this process, each of which carries one stream of HTTP/2. */
const bridged = new WeakSet<Duplex>();

/** Whether a request came over HTTP/2, whose streams carry both directions at once and end with trailers. */
export function isOverHttp2({ socket }: IncomingMessage): boolean {
  return bridged.has(socket);
}

export interface Bridge {
  /** Speaks HTTP/1.1 on a connection. */
  readonly speak: (connection: Duplex, request: { method: string; url: string }) => void;
  /** Begins to watch how a client takes an answer. `written`: bytes of it that were given to the stream. */
  readonly watch: (stream: ServerHttp2Stream, written: () => number) => void;
}

/**
 * Has a stream of HTTP/2 answered by the server of HTTP/1.1, over a connection inside this process: one reading of requests, one
 * set of limits and one admission hold for both.
 */
export function bridgeStream(
  stream: ServerHttp2Stream,
  rawHeaders: readonly string[],
  { speak, watch, client }: Bridge & { readonly client: Socket },
): void {
  const head = headOf(rawHeaders);
  const [near, far] = duplexPair();
  Object.defineProperty(far, "remoteAddress", { value: client.remoteAddress });
  bridged.add(far);
  far.on("error", () => {});
  let inner: ClientRequest;
  try {
    inner = requestOver({ createConnection: () => near, ...head });
  } catch {
    // A method or a header that HTTP/1.1 cannot have.
    near.destroy();
    stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    return;
  }
  speak(far, { method: head.method, url: head.path });
  inner.on("error", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  inner.once("continue", () => {
    if (!stream.headersSent && !stream.destroyed) stream.additionalHeaders({ ":status": 100 });
  });
  inner.once("response", (answer) => relay(answer, stream, watch));
  stream.once("close", () => {
    inner.destroy();
    near.destroy();
    far.destroy();
  });
  if (stream.readableEnded || stream.endAfterHeaders) inner.end();
  else {
    inner.flushHeaders();
    stream.pipe(inner);
  }
}

interface Head {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
}

/** The head of a request in terms of HTTP/1.1. Its authority is its host, whatever `host` says beside it. */
function headOf(rawHeaders: readonly string[]): Head {
  const pseudo = new Map<string, string>();
  const fields: [string, string][] = [];
  const cookies: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (name.startsWith(":")) pseudo.set(name, value);
    // Split so that they compress well (RFC 9113, 8.2.3); in HTTP/1.1 they are one.
    else if (name === "cookie") cookies.push(value);
    else fields.push([name, value]);
  }
  const authority = pseudo.get(":authority");
  const named = authority === undefined ? fields : [["host", authority], ...fields.filter(([name]) => name !== "host")];
  const headers = (cookies.length === 0 ? named : [...named, ["cookie", cookies.join("; ")]]).flat();
  return { method: pseudo.get(":method") ?? "", path: pseudo.get(":path") ?? "*", headers };
}

function relay(answer: IncomingMessage, stream: ServerHttp2Stream, watch: Bridge["watch"]): void {
  if (stream.destroyed || stream.closed) return void answer.destroy();
  const headers = headersOf(answer);
  const isEmpty = answer.headers["content-length"] === "0" || answer.statusCode === 204 || answer.statusCode === 304;
  if (isEmpty) {
    // An RPC of gRPC that ends before it began is told by the head alone.
    stream.respond(headers, { endStream: true });
    answer.resume();
    stopReading(stream);
    return;
  }
  stream.respond(headers, { waitForTrailers: true });
  stream.once("wantTrailers", () => {
    stream.sendTrailers(answer.trailers);
    stopReading(stream);
  });
  let written = 0;
  answer.on("data", (chunk: Buffer) => {
    written += chunk.length;
  });
  answer.once("aborted", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  watch(stream, () => written);
  answer.pipe(stream);
}

/** Of an answer, what is not of its connection. */
function headersOf(answer: IncomingMessage): OutgoingHttpHeaders {
  const isHopByHop = hopByHopOf(answer.headers);
  const passed = Object.entries(answer.headersDistinct)
    .filter(([name]) => name !== "transfer-encoding" && !isHopByHop(name))
    .map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]);
  return { ":status": answer.statusCode, ...Object.fromEntries(passed) };
}

/** Throws away what an answered client still sends, for a moment. To reset the stream at once would take its answer along. */
function stopReading(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.unpipe();
  stream.resume();
  const cut = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs).unref();
  stream.once("close", () => clearTimeout(cut));
}
