import type { IncomingMessage, ServerResponse } from "node:http";
import type { PredictionTarget } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { untrustedServer } from "@aiplatform/service-host";
import { HttpError } from "@aiplatform/transcoder";
import { Agent } from "undici";
import type { PredictionBody } from "./body.ts";
import { headersForCaller, headersForInstance } from "./headers.ts";
import { type InstanceTrust, instanceConnector, UntrustedInstanceError } from "./instance-trust.ts";

/** The instance could not be reached, and has been sent nothing. */
export class InstanceUnreachableError extends Error {
  override name = "InstanceUnreachableError";
}

/** The instance is another's by now: it does not take the token. */
export class StaleTokenError extends Error {
  override name = "StaleTokenError";
}

/** One request on its way to an instance. */
export interface Hop {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: PredictionTarget;
  readonly body: PredictionBody;
  /** Path and query. */
  readonly asked: string;
  readonly requestId: string;
  readonly trace: Headers;
  /** From the request's last byte to the first of the answer, ms. */
  readonly timeoutMs: number;
}

/** An instance keeps to its time limit itself, and says so better than we can. */
const graceMs = 1_000;
/** Without a byte once the answer has begun. */
const silenceMs = 60_000;
const connectTimeoutMs = 2_000;
/** Shorter than an instance keeps a connection, so that none closes under a request. */
const keepAliveMs = 15_000;

/** Connections to instances. */
export function createInstanceAgent(trust: InstanceTrust): Agent {
  return new Agent({
    connect: instanceConnector(trust, connectTimeoutMs),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: silenceMs,
  });
}

/**
 * Passes a request on and its answer back, both as they come.
 * @throws InstanceUnreachableError, UntrustedInstanceError, StaleTokenError with nothing answered; HttpError 413, 502, 504;
 * whatever broke off an answer that had begun
 */
export async function passOn(agent: Agent, hop: Hop): Promise<void> {
  const { request, response, target, body } = hop;
  const ending = new AbortController();
  const late = () => ending.abort(new HttpError(504, "The prediction took too long", "prediction_timeout"));
  const timer = setTimeout(late, hop.timeoutMs + graceMs);
  const abort = () => ending.abort(new Error("the caller left"));
  response.once("close", abort);
  if (response.closed) abort();
  try {
    await agent.stream(
      {
        origin: target.url,
        path: hop.asked,
        // A HEAD is answered as a GET whose body the server keeps to itself.
        method: request.method === "POST" ? "POST" : "GET",
        headers: headersForInstance(request.headers, { ...hop, ...target }),
        body: await body.open(() => timer.refresh()),
        signal: ending.signal,
      },
      ({ statusCode, headers }) => {
        clearTimeout(timer);
        if (statusCode === 401) throw new StaleTokenError();
        const { requestId } = hop;
        return response.writeHead(
          statusCode,
          headersForCaller(headers, { requestId, version: target.deploymentVersionId }),
        );
      },
    );
  } catch (error) {
    throw failureOf(error, body.isUnderWay);
  } finally {
    clearTimeout(timer);
    response.off("close", abort);
  }
}

const neverConnected = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"]);

function failureOf(error: unknown, isUnderWay: boolean): unknown {
  if (error instanceof HttpError || error instanceof StaleTokenError) return error;
  if (error instanceof UntrustedInstanceError) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (!isUnderWay && neverConnected.has(code)) return new InstanceUnreachableError("the instance cannot be reached");
  const untrusted = isUnderWay ? undefined : untrustedServer(error);
  if (untrusted) return new UntrustedInstanceError(untrusted);
  const detail = "The prediction broke off; it may have been computed";
  // When to repeat it. Whether to is for the caller: a handler that has effects may have had them.
  return new HttpError(502, detail, "prediction_broken_off", { "retry-after": "1" });
}
