import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@aiplatform/backoff";
import {
  AddressRefusedError,
  createGuardedFetch,
  type GuardedFetch,
  OutboundTimeoutError,
  ResponseTooLargeError,
} from "@aiplatform/guarded-fetch";
import { StepFailedError } from "./step-outcome.ts";

export interface PromptApiSettings {
  /** URL above `/chat/completions`. Undefined: there are no models. */
  url: string | undefined;
  /** Sent as a bearer. */
  key: string | undefined;
  /** Where a prompt names none. */
  model: string;
  /** Networks (CIDR) that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  /** For one answer, ms. */
  timeoutMs: number;
  /** Pause before the second attempt, ms; each further one is twice as long. */
  retryMs: number;
}

export interface Prompt {
  text: string;
  model: string | undefined;
  maxTokens: number | undefined;
  /** Sent as `Idempotency-Key`: the same at each attempt. */
  effectId: string;
  signal: AbortSignal;
}

/** Attempts at one answer. */
const maxAttempts = 4;
const maxPauseMs = 30_000;
const maxBytes = 4 * 1024 * 1024;

/** Any endpoint that speaks OpenAI's chat completions. */
export class PromptApi implements AsyncDisposable {
  readonly #settings: PromptApiSettings;
  readonly #fetch: GuardedFetch & AsyncDisposable;

  constructor(settings: PromptApiSettings) {
    this.#settings = settings;
    const { allowedNetworks, timeoutMs } = settings;
    this.#fetch = createGuardedFetch({ allowedNetworks, timeoutMs, maxBytes: maxBytes, allowHttp: true });
  }

  /** What the model answers. @throws StepFailedError, and the signal's reason */
  async complete(prompt: Prompt): Promise<string> {
    const { url } = this.#settings;
    if (url === undefined) throw new StepFailedError("No language model is set up (PROMPT_API_URL)");
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(`${url.replace(/\/+$/, "")}/chat/completions`, prompt);
      if (answer instanceof Response && answer.ok) return contentOf(await answer.text());
      const isLast = attempt === maxAttempts;
      if (answer instanceof Response) {
        const { status } = answer;
        if (isLast || (status !== 429 && status < 500)) throw new StepFailedError(await refusalOf(answer));
      } else if (isLast) {
        throw new StepFailedError(answer.why);
      }
      await delay(this.#pauseMs(attempt, answer), undefined, { signal: prompt.signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]();
  }

  /** The answer, or why there is none that may come later. */
  async #ask(url: string, { text, model, maxTokens, effectId, signal }: Prompt): Promise<Response | { why: string }> {
    const { key, model: defaultModel } = this.#settings;
    const asked = {
      model: model ?? defaultModel,
      messages: [{ role: "user", content: text }],
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    };
    const headers = {
      "content-type": "application/json",
      "idempotency-key": effectId,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    try {
      return await this.#fetch(url, { method: "POST", headers, body: JSON.stringify(asked), signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AddressRefusedError || error instanceof ResponseTooLargeError) {
        throw new StepFailedError(`The language model cannot be asked: ${error.message}`, { cause: error });
      }
      if (error instanceof OutboundTimeoutError) return { why: `The language model: ${error.message}` };
      if (error instanceof TypeError) return { why: "The language model cannot be reached" };
      throw error;
    }
  }

  #pauseMs(attempt: number, answer: Response | { why: string }): number {
    const ownMs = backoffMs({ minMs: this.#settings.retryMs, maxMs: maxPauseMs }, attempt);
    const wanted =
      answer instanceof Response ? Number(answer.headers.get("retry-after") ?? Number.NaN) * 1_000 : Number.NaN;
    return Math.min(maxPauseMs, Number.isFinite(wanted) && wanted >= 0 ? Math.max(wanted, ownMs) : ownMs);
  }
}

/** Text of the first choice. */
function contentOf(body: string): string {
  const content = memberAt(parsed(body), "choices", "0", "message", "content");
  if (typeof content !== "string") throw new StepFailedError("The language model's answer is not a chat completion");
  return content;
}

async function refusalOf(answer: Response): Promise<string> {
  const message = memberAt(parsed(await answer.text()), "error", "message");
  const why = typeof message === "string" ? `: ${message.slice(0, 500)}` : "";
  return `The language model answered ${answer.status}${why}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  return at;
}
