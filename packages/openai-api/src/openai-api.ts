import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import {
  AddressRefusedError,
  createGuardedFetch,
  type GuardedFetch,
  OutboundTimeoutError,
  ResponseTooLargeError,
} from "@aiplatform/guarded-fetch";
import { ApiAnswerTooLargeError, ApiRefusedError, ApiUnavailableError } from "./errors.ts";
import { memberAt, parsedJson } from "./json-members.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Pauses between two attempts. */
export interface Retry extends Backoff {
  /** Longest pause that an answer may ask for, ms. */
  readonly maxWantedMs: number;
}

export interface OpenAiApiOptions {
  /** Networks (CIDR) that may be reached although they are not public. */
  readonly allowedNetworks: readonly string[];
  /** For one answer, ms. */
  readonly timeoutMs: number;
  /** Of one answer. */
  readonly maxBytes: number;
  readonly retry: Retry;
}

/** What is asked, and of whom. */
export interface Question {
  readonly url: string;
  /** Sent as a bearer. Undefined: none is sent. */
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How it is asked. */
export interface Asking {
  /** Sent as `Idempotency-Key`: the same at each attempt. */
  readonly effectId: string;
  /** How often it is asked at most. */
  readonly maxAttempts: number;
  readonly signal: AbortSignal;
}

/** Why there is no answer; one may come later. */
interface Silence {
  readonly why: string;
  /** Of an answer that asks to wait. */
  readonly status?: number;
}

/** Characters of what a service says to a refusal. */
const maxSaidLength = 500;

/** Asks services that speak OpenAI's protocol, and asks again while they are busy. */
export class OpenAiApi implements AsyncDisposable {
  readonly #fetch: GuardedFetch & AsyncDisposable;
  readonly #retry: Retry;

  constructor({ allowedNetworks, timeoutMs, maxBytes, retry }: OpenAiApiOptions) {
    this.#fetch = createGuardedFetch({ allowedNetworks, timeoutMs, maxBytes, allowHttp: true });
    this.#retry = retry;
  }

  /** The body of the answer. @throws ApiUnavailableError, ApiRefusedError, ApiAnswerTooLargeError, and the signal's reason */
  async post(question: Question, { effectId, maxAttempts, signal }: Asking): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(question, { effectId, signal });
      if (answer instanceof Response && answer.ok) return await answer.text();
      const { why, status } = answer instanceof Response ? await busy(answer, question.key) : answer;
      if (attempt >= maxAttempts) throw new ApiUnavailableError(why, status);
      await delay(this.#pauseMs(attempt, answer), undefined, { signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]();
  }

  async #ask(
    { url, key, body }: Question,
    { effectId, signal }: Pick<Asking, "effectId" | "signal">,
  ): Promise<Response | Silence> {
    const headers = {
      "content-type": "application/json",
      "idempotency-key": effectId,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    try {
      return await this.#fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AddressRefusedError)
        throw new ApiRefusedError(`cannot be asked: ${error.message}`, { cause: error });
      if (error instanceof ResponseTooLargeError)
        throw new ApiAnswerTooLargeError(`answered more than ${error.maxBytes} bytes`);
      if (error instanceof OutboundTimeoutError) return { why: `gave no complete answer in ${error.timeoutMs} ms` };
      if (error instanceof TypeError) return { why: "cannot be reached" };
      throw error;
    }
  }

  #pauseMs(attempt: number, answer: Response | Silence): number {
    const ownMs = backoffMs(this.#retry, attempt);
    const text = answer instanceof Response ? (answer.headers.get("retry-after") ?? "") : "";
    return Math.max(ownMs, Math.min(retryAfterMs(text, Date.now()), this.#retry.maxWantedMs));
  }
}

/** An answer that another one may follow. @throws ApiRefusedError for others */
async function busy(answer: Response, key: string | undefined): Promise<Silence> {
  const { status } = answer;
  const error = memberAt(parsedJson(await answer.text()), "error");
  const text = typeof error === "string" ? error : memberAt(error, "message");
  // Some servers repeat a key that they do not take.
  const said = typeof text === "string" ? (key ? text.replaceAll(key, "…") : text).slice(0, maxSaidLength) : "";
  const why = `answered ${status}${said && `: ${said}`}`;
  if (status !== 429 && status < 500) throw new ApiRefusedError(why, { status, said });
  return { why, status };
}
