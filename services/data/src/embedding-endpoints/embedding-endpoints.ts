import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@aiplatform/backoff";
import {
  AddressRefusedError,
  createGuardedFetch,
  type GuardedFetch,
  OutboundTimeoutError,
  ResponseTooLargeError,
} from "@aiplatform/guarded-fetch";
import { isOpenTo } from "../settings-entries.ts";
import { type EndpointVectors, vectorsIn } from "./endpoint-answer.ts";
import {
  EndpointAnswerError,
  EndpointGoneError,
  EndpointRefusedError,
  EndpointUnavailableError,
} from "./endpoint-errors.ts";
import type { EmbeddingEndpoint, KeyedEndpoint } from "./endpoint-settings.ts";

export interface EndpointsSettings {
  endpoints: readonly KeyedEndpoint[];
  /** Networks (CIDR) that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  /** For one answer, ms. */
  timeoutMs: number;
  /** Numbers of a vector at most. */
  maxDimensions: number;
}

/** Who has vectors made by what. */
export interface EndpointModel {
  organisationId: string;
  endpoint: string;
  model: string;
}

/** Texts that are sent at once. */
export interface SentTexts {
  texts: readonly string[];
  /** What they are, for a refusal, such as `rows 0 to 63`. */
  place: string;
  /** Sent as `Idempotency-Key`: the same at each attempt. */
  effectId: string;
  /** How often they are sent at most while the endpoint asks to wait. */
  attempts: number;
  signal: AbortSignal;
}

/** Between two attempts, ms. An endpoint may ask for more, up to the second bound. */
const pauses = { minMs: 1_000, maxMs: 30_000 };
const maxWantedMs = 300_000;
/** Of an answer: the vectors of the largest batch, in long digits. */
const maxAnswerBytes = 16 * 1_048_576;
/** Of what an endpoint says to a refusal. */
const maxSaidLength = 300;
const keyRefusals = new Set([401, 403]);

/** The endpoints that the operator has set up. Their keys are in no message. */
export class EmbeddingEndpoints implements AsyncDisposable {
  readonly #endpoints: ReadonlyMap<string, KeyedEndpoint>;
  readonly #fetch: GuardedFetch & AsyncDisposable;
  readonly #maxDimensions: number;

  constructor({ endpoints, allowedNetworks, timeoutMs, maxDimensions }: EndpointsSettings) {
    this.#maxDimensions = maxDimensions;
    this.#endpoints = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
    this.#fetch = createGuardedFetch({ allowedNetworks, timeoutMs, maxBytes: maxAnswerBytes, allowHttp: true });
  }

  /** Those that the organisation may send to. */
  of(organisationId: string): EmbeddingEndpoint[] {
    return [...this.#endpoints.values()].filter(({ organisations }) => isOpenTo(organisations, organisationId));
  }

  /** Rows that the endpoint is sent at once. @throws EndpointGoneError */
  batchOf(asked: EndpointModel): number {
    return this.#allowed(asked).maxBatch;
  }

  /** @throws EndpointGoneError, EndpointRefusedError, EndpointUnavailableError, EndpointAnswerError, and the signal's reason */
  async embed(asked: EndpointModel, sent: SentTexts): Promise<EndpointVectors> {
    const endpoint = this.#allowed(asked);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(endpoint, asked.model, sent);
      if (answer instanceof Response && answer.ok) {
        const bounds = { dimensions: endpoint.dimensions, maxDimensions: this.#maxDimensions };
        const expected = { endpoint: endpoint.name, count: sent.texts.length, ...bounds };
        return vectorsIn(await answer.text(), expected);
      }
      const isPassing = !(answer instanceof Response) || answer.status === 429 || answer.status >= 500;
      if (answer instanceof Response && !isPassing) throw await refusal(endpoint, answer, sent.place);
      if (attempt >= sent.attempts) throw new EndpointUnavailableError(whyUnavailable(endpoint, answer));
      await delay(pauseMs(attempt, answer), undefined, { signal: sent.signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]();
  }

  /** @throws EndpointGoneError */
  #allowed({ organisationId, endpoint: name, model }: EndpointModel): KeyedEndpoint {
    const endpoint = this.#endpoints.get(name);
    if (endpoint && isOpenTo(endpoint.organisations, organisationId) && endpoint.models.includes(model)) {
      return endpoint;
    }
    const what = `the endpoint ${JSON.stringify(name)} with the model ${JSON.stringify(model)}`;
    throw new EndpointGoneError(`The settings of the platform no longer offer ${what}`);
  }

  /** The answer, or why there is none that may come later. @throws EndpointRefusedError, EndpointAnswerError */
  async #ask(
    { name, url, key }: KeyedEndpoint,
    model: string,
    { texts: input, effectId, signal }: SentTexts,
  ): Promise<Response | { why: string }> {
    const headers = {
      "content-type": "application/json",
      "idempotency-key": effectId,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const body = JSON.stringify({ model, input, encoding_format: "float" });
    try {
      return await this.#fetch(`${url}/embeddings`, { method: "POST", headers, body, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AddressRefusedError) {
        const what = `The endpoint ${JSON.stringify(name)} cannot be asked: ${error.message}`;
        throw new EndpointRefusedError(what, { cause: error });
      }
      if (error instanceof ResponseTooLargeError) {
        throw new EndpointAnswerError(name, `answered more than ${error.maxBytes} bytes`);
      }
      if (error instanceof OutboundTimeoutError) return { why: `gave no complete answer in ${error.timeoutMs} ms` };
      if (error instanceof TypeError) return { why: "cannot be reached" };
      throw error;
    }
  }
}

function whyUnavailable({ name }: KeyedEndpoint, answer: Response | { why: string }): string {
  const why = answer instanceof Response ? `answered ${answer.status}` : answer.why;
  return `The endpoint ${JSON.stringify(name)} ${why}`;
}

/** What the endpoint says is told on, but never of a key, which some servers repeat in parts. */
async function refusal({ name, key }: KeyedEndpoint, answer: Response, place: string): Promise<EndpointRefusedError> {
  const { status } = answer;
  if (keyRefusals.has(status)) {
    const what = `The endpoint ${JSON.stringify(name)} answered ${status} to ${place}: it does not take the platform's key`;
    return new EndpointRefusedError(`${what}. The operator of the platform has to correct it`);
  }
  const text = messageIn(await answer.text());
  const said = key === undefined ? text : text.replaceAll(key, "…");
  const why = said === "" ? "" : `: ${said.slice(0, maxSaidLength)}`;
  return new EndpointRefusedError(`The endpoint ${JSON.stringify(name)} answered ${status} to ${place}${why}`);
}

function messageIn(body: string): string {
  try {
    const { error } = Object(JSON.parse(body));
    const message: unknown = typeof error === "string" ? error : Object(error).message;
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

function pauseMs(attempt: number, answer: Response | { why: string }): number {
  const ownMs = backoffMs(pauses, attempt);
  const wantedMs = answer instanceof Response ? retryAfterMs(answer.headers.get("retry-after") ?? "") : 0;
  return Math.min(Math.max(ownMs, wantedMs), maxWantedMs);
}

/** In seconds, or as a date. */
function retryAfterMs(text: string): number {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
