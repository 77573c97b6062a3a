import { promisify } from "node:util";
import zlib from "node:zlib";
import type { AnswerBody, AnswerHeaders, Exchange } from "../exchange/exchange.ts";

const gzip = promisify<AnswerBody, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.gzip);
const brotli = promisify<AnswerBody, zlib.BrotliOptions, Buffer<ArrayBuffer>>(zlib.brotliCompress);
const compressFrom = 1024;
/** Headers of an RPC's answer that become headers of ours; all others stay inside. */
const passedOn = new Set(["etag", "link", "cache-control", "retry-after", "idempotency-replayed", "content-language"]);

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

/** Answers a success: 304 where the client has it already, compressed where it wants that. */
export async function writeAnswer(exchange: Exchange, answer: RestAnswer): Promise<void> {
  const { headers } = answer;
  const { method } = exchange;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && isKnown(exchange.header("if-none-match"), headers["etag"])) {
    exchange.send(304, headers);
    return;
  }
  headers["content-type"] ??= "application/json";
  const isLarge = byteLength(answer.body) > compressFrom;
  // Who stands before us may have said already what else an answer depends on.
  if (isLarge) headers["vary"] = [exchange.answerHeader("vary") ?? [], "Accept-Encoding"].flat().join(", ");
  const coding = isLarge ? chooseCoding(exchange.header("accept-encoding")) : undefined;
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

/** `br` or `gzip`, whichever is wanted more; `br` when both are wanted alike. */
export function chooseCoding(accept: string | undefined): "br" | "gzip" | undefined {
  if (accept === undefined || accept === "") return undefined;
  const weights = { br: 0, gzip: 0 };
  for (const range of accept.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    if (coding === "br" || coding === "gzip") weights[coding] = quality;
    else if (coding === "*") weights.gzip ||= quality;
  }
  if (weights.br > 0 && weights.br >= weights.gzip) return "br";
  return weights.gzip > 0 ? "gzip" : undefined;
}

function isKnown(known: string | undefined, etag: string | undefined): boolean {
  if (known === undefined || etag === undefined) return false;
  const weak = (tag: string) => tag.trim().replace(/^W\//, "");
  return known.trim() === "*" || known.split(",").some((tag) => weak(tag) === weak(etag));
}
