import ky, { type HTTPError, isHTTPError, isTimeoutError, type RetryOptions } from "ky";
import { PlatformUnreachableError } from "./platform-error.ts";

/** How often, and for how long, a request is repeated. */
export interface RetryPolicy {
  /** Repeats after the first attempt; 0: none. Default 3. */
  limit?: number;
  /** Longest pause, ms, also where the platform asks for a longer one. Default 10,000. */
  maxPauseMs?: number;
  /** Longest wait for the head of one answer, ms. Default 60,000. */
  timeoutMs?: number;
}

/** Statuses after which a request had no effect, or may be repeated without a second one. */
const passing = [429, 502, 503, 504];

/** Its own repetition makes no second effect. */
const repeatable = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);
/** Methods do not decide here; the request as a whole does. */
const methods: NonNullable<RetryOptions["methods"]> = ["get", "head", "put", "post", "patch", "delete", "options"];

/**
 * A fetch that repeats what may be repeated: reads, replacements, removals, training commands, and whatever carries
 * an `Idempotency-Key`. Pauses grow with jitter, and are what `Retry-After` says where it says something.
 * @throws PlatformUnreachableError when there is no answer in the end
 */
export function repeatingFetch(policy: RetryPolicy = {}): (request: Request) => Promise<Response> {
  const { limit = 3, maxPauseMs = 10_000, timeoutMs = 60_000 } = policy;
  return async (request) => {
    const mayRepeat = repeatable.has(request.method) || request.headers.has("idempotency-key") || isCommand(request);
    const retry = {
      limit: mayRepeat ? limit : 0,
      methods,
      statusCodes: passing,
      afterStatusCodes: passing,
      maxRetryAfter: maxPauseMs,
      backoffLimit: maxPauseMs,
      jitter: true,
      retryOnTimeout: true,
    };
    try {
      return await ky(request, { retry, timeout: timeoutMs, throwHttpErrors: (status) => passing.includes(status) });
    } catch (error) {
      if (isHTTPError(error)) return responseOf(error);
      if (request.signal.aborted) throw request.signal.reason;
      throw new PlatformUnreachableError(request.url, error, { timedOut: isTimeoutError(error) });
    }
  };
}

/** The answer as it came; its body was read already. */
function responseOf({ response: { status, statusText, headers }, data }: HTTPError): Response {
  const body = typeof data === "string" ? data : JSON.stringify(data ?? {});
  return new Response(body, { status, statusText, headers });
}

/** A training command has its key in its body. */
function isCommand({ method, url }: Request): boolean {
  return method === "POST" && /\/training\/[^/]+\/commands$/.test(new URL(url).pathname);
}
