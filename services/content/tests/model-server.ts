import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a model was asked. */
export interface AskedPrompt {
  path: string;
  /** `Idempotency-Key`. */
  key: string;
  authorization: string | undefined;
  model: string;
  maxTokens: number | undefined;
  text: string;
}

/** What the endpoint answers; a text is that of a completion. */
export type ModelAnswer = string | { status: number; body?: unknown; headers?: Record<string, string> };

/** A fake of an external language model behind OpenAI's protocol, which records what it is asked. */
export class ModelServer implements AsyncDisposable {
  readonly asked: AskedPrompt[] = [];
  /** What is answered to a prompt. */
  answer: (prompt: AskedPrompt) => ModelAnswer | Promise<ModelAnswer> = ({ text: asked }) => `You said: ${asked}`;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const { model, max_tokens: maxTokens, messages } = JSON.parse(await text(request));
      const prompt = {
        path: request.url ?? "",
        key: String(request.headers["idempotency-key"]),
        authorization: request.headers.authorization,
        ...{ model, maxTokens, text: messages[0].content },
      };
      this.asked.push(prompt);
      const answer = await this.answer(prompt);
      const completed = typeof answer === "string" ? { status: 200, body: completion(answer) } : answer;
      const { status, body = {}, headers = {} } = { headers: {}, ...completed };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    model.#server.listen(0, "127.0.0.1");
    await once(model.#server, "listening");
    return model;
  }

  /** Settings of a service that asks it. */
  get settings(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { PROMPT_API_URL: `http://127.0.0.1:${port}/v1`, PROMPT_ALLOWED_NETWORKS: "127.0.0.0/8" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

function completion(content: string) {
  return { object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content } }] };
}
