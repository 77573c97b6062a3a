import { promisify } from "node:util";
import zlib from "node:zlib";
import type { AnswerBody, AnswerHeaders, Exchange } from "../exchange/exchange.ts";
import { chooseCoding } from "../request/accept-encoding.ts";

const gzip = promisify<AnswerBody, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.gzip);
const brotli = promisify<AnswerBody, zlib.BrotliOptions, Buffer<ArrayBuffer>>(zlib.brotliCompress);
/** Bytes from which on a body is compressed. */
export const compressFrom = 1024;
/** Headers of an RPC's answer that become headers of ours; all others stay inside. */
const passedOn = new Set([
  ...["etag", "link", "cache-control", "retry-after", "idempotency-replayed", "content-language", "set-cookie"],
]);

/** Headers of an answer: the request id, and what the service may decide. */
export function answerHeaders(header: Headers, requestId: string): AnswerHeaders {
  const headers: AnswerHeaders = { "x-request-id": requestId };
  for (const [name, value] of header) {
    if (passedOn.has(name)) headers[name] = value;
  }
  return headers;
}

/** A success as it is to be answered. */
export interface RestAnswer {
  readonly status: number;
  /** JSON unless they name a content type. */
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody;
}

/** Answers a success, compressed where the client wants that and it is not yet. */
export async function writeAnswer(exchange: Exchange, answer: RestAnswer): Promise<void> {
  const { headers } = answer;
  const { method } = exchange;
  headers["content-type"] ??= "application/json";
  const isEncoded = headers["content-encoding"] !== undefined;
  const isLarge = isEncoded || byteLength(answer.body) > compressFrom;
  // Who stands before us may have said already what else an answer depends on.
  const own = [headers["vary"] ?? [], isLarge ? "Accept-Encoding" : []].flat();
  if (own.length > 0) headers["vary"] = [exchange.answerHeader("vary") ?? [], own].flat().join(", ");
  const coding = isLarge && !isEncoded ? chooseCoding(exchange.header("accept-encoding")) : undefined;
  const body = coding === undefined ? answer.body : await compressed(answer, coding);
  headers["content-length"] = `${byteLength(body)}`;
  exchange.send(answer.status, headers, method === "HEAD" ? undefined : body);
}

async function compressed({ headers, body }: RestAnswer, coding: "br" | "gzip"): Promise<AnswerBody> {
  headers["content-encoding"] = coding;
  if (coding === "gzip") return gzip(body, { level: 4 });
  return brotli(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } });
}

function byteLength(body: AnswerBody): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}
