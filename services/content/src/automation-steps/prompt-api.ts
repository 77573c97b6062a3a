import {
  ApiAnswerTooLargeError,
  ApiRefusedError,
  ApiUnavailableError,
  memberAt,
  OpenAiApi,
  parsedJson,
} from "@aiplatform/openai-api";
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
  readonly #api: OpenAiApi;

  constructor(settings: PromptApiSettings) {
    this.#settings = settings;
    const { allowedNetworks, timeoutMs, retryMs } = settings;
    const retry = { minMs: retryMs, maxMs: maxPauseMs, maxWantedMs: maxPauseMs };
    this.#api = new OpenAiApi({ allowedNetworks, timeoutMs, maxBytes, retry });
  }

  /** What the model answers. @throws StepFailedError, and the signal's reason */
  async complete({ text, model, maxTokens, effectId, signal }: Prompt): Promise<string> {
    const { url, key, model: defaultModel } = this.#settings;
    if (url === undefined) throw new StepFailedError("No language model is set up (PROMPT_API_URL)");
    const body = {
      model: model ?? defaultModel,
      messages: [{ role: "user", content: text }],
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    };
    const question = { url: `${url.replace(/\/+$/, "")}/chat/completions`, key, body };
    return contentOf(await this.#api.post(question, { effectId, maxAttempts, signal }).catch(asFailedStep));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]();
  }
}

function asFailedStep(error: unknown): never {
  const isOfModel = [ApiUnavailableError, ApiRefusedError, ApiAnswerTooLargeError].some(
    (each) => error instanceof each,
  );
  if (!isOfModel || !(error instanceof Error)) throw error;
  throw new StepFailedError(`The language model ${error.message}`, { cause: error });
}

/** Text of the first choice. */
function contentOf(body: string): string {
  const content = memberAt(parsedJson(body), "choices", "0", "message", "content");
  if (typeof content !== "string") throw new StepFailedError("The language model's answer is not a chat completion");
  return content;
}
