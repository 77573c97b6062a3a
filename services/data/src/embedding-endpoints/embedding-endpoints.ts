import { ApiAnswerTooLargeError, ApiRefusedError, ApiUnavailableError, OpenAiApi } from "@aiplatform/openai-api";
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

/** Between two attempts, ms. An endpoint may ask for more than the others. */
const retry = { minMs: 1_000, maxMs: 30_000, maxWantedMs: 300_000 };
/** Of an answer: the vectors of the largest batch, in long digits. */
const maxAnswerBytes = 16 * 1_048_576;
const keyRefusals = new Set([401, 403]);

/** The endpoints that the operator has set up. Their keys are in no message. */
export class EmbeddingEndpoints implements AsyncDisposable {
  readonly #endpoints: ReadonlyMap<string, KeyedEndpoint>;
  readonly #api: OpenAiApi;
  readonly #maxDimensions: number;

  constructor({ endpoints, allowedNetworks, timeoutMs, maxDimensions }: EndpointsSettings) {
    this.#maxDimensions = maxDimensions;
    this.#endpoints = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
    this.#api = new OpenAiApi({ allowedNetworks, timeoutMs, maxBytes: maxAnswerBytes, retry });
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
  async embed(
    asked: EndpointModel,
    { texts, place, attempts: maxAttempts, effectId, signal }: SentTexts,
  ): Promise<EndpointVectors> {
    const { name, url, key, dimensions } = this.#allowed(asked);
    const question = {
      url: `${url}/embeddings`,
      key,
      body: { model: asked.model, input: texts, encoding_format: "float" },
    };
    const answer = await this.#api
      .post(question, { effectId, maxAttempts, signal })
      .catch((error: unknown) => failed(name, place, error));
    const bounds = { dimensions, maxDimensions: this.#maxDimensions };
    return vectorsIn(answer, { endpoint: name, count: texts.length, ...bounds });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
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
}

function failed(name: string, place: string, error: unknown): never {
  const endpoint = `The endpoint ${JSON.stringify(name)}`;
  if (error instanceof ApiUnavailableError) {
    // It is logged: what the endpoint says may repeat the rows.
    const why = error.status === undefined ? error.message : `answered ${error.status}`;
    throw new EndpointUnavailableError(`${endpoint} ${why}`);
  }
  if (error instanceof ApiAnswerTooLargeError) throw new EndpointAnswerError(name, error.message);
  if (!(error instanceof ApiRefusedError)) throw error;
  const { status, said, message, cause } = error;
  if (status === undefined) throw new EndpointRefusedError(`${endpoint} ${message}`, { cause });
  const answered = `${endpoint} answered ${status} to ${place}`;
  if (!keyRefusals.has(status)) throw new EndpointRefusedError(`${answered}${said && `: ${said}`}`);
  throw new EndpointRefusedError(
    `${answered}: it does not take the platform's key. The operator of the platform has to correct it`,
  );
}
