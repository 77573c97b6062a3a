import { weightOf } from "../exchange/accept.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { type Area, renderInArea } from "./area.ts";
import { type HttpError, toHttpError } from "./http-error.ts";
import { renderProblems } from "./problem-list.ts";

/** How an error is answered. */
export interface ErrorAnswer {
  readonly requestId: string;
  /** Most bytes of a list of problems. Default 256 KiB. */
  readonly maxBytes?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  428: "Precondition Required",
  429: "Too Many Requests",
  499: "Client Closed Request",
  501: "Not Implemented",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/**
 * Answers any failure in the form that all operations share, or all of its area. Does nothing but close once a byte has been answered.
 */
export function answerError(
  exchange: Exchange,
  error: unknown,
  { area, ...answer }: ErrorAnswer & { readonly area?: Area | undefined },
): void {
  if (!exchange.isOpen) {
    exchange.abandon();
    return;
  }
  const failure = toHttpError(error);
  const isProblemJson = prefersProblemJson(exchange.header("accept"));
  const plain = () => (area === undefined ? renderPlain(failure, answer.maxBytes) : renderInArea(area, failure));
  const body = isProblemJson ? renderProblemJson(failure, answer.maxBytes) : plain();
  const headers = {
    ...(failure.status === 401 ? { "www-authenticate": challenge(exchange) } : {}),
    ...failure.headers,
    ...answer.headers,
    "content-type": isProblemJson ? "application/problem+json" : "application/json",
    "content-length": `${Buffer.byteLength(body)}`,
    "x-request-id": answer.requestId,
  };
  exchange.send(failure.status, headers, exchange.method === "HEAD" ? undefined : body);
}

/** RFC 6750, 3.1: a request that showed no token learns of no fault in one. */
function challenge(exchange: Exchange): string {
  return exchange.header("authorization") === undefined ? "Bearer" : 'Bearer error="invalid_token"';
}

/** `{"detail":[…]}` for what cannot be processed, exactly `{"detail":"Not found"}` for 404, else detail and code. */
export function renderPlain({ status, detail, code, problems }: HttpError, maxBytes?: number): string {
  if (problems !== undefined) return `{"detail":${renderProblems(problems, maxBytes)}}`;
  return JSON.stringify(status === 404 ? { detail } : { detail, code });
}

/** RFC 9457. */
function renderProblemJson({ status, detail, code, problems }: HttpError, maxBytes?: number): string {
  const head = JSON.stringify({ type: "about:blank", title: titles[status] ?? "Error", status, detail, code });
  return problems === undefined ? head : `${head.slice(0, -1)},"errors":${renderProblems(problems, maxBytes)}}`;
}

/** Whether `application/problem+json` is named with a higher weight than plain JSON. */
export function prefersProblemJson(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes("application/problem+json")) return false;
  return weightOf(accept, "application/problem+json") > weightOf(accept, "application/json");
}
