import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What an endpoint was sent. */
export interface SentTexts {
  path: string;
  authorization: string | undefined;
  /** `Idempotency-Key`. */
  key: string;
  model: string;
  input: string[];
}

/** What it answers in the place of vectors. */
export interface OtherAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * A service outside of the platform that speaks OpenAI's protocol for embeddings. A text `x=3 y=4` becomes 3 and 4. It answers its
 * vectors in the reverse order, which the protocol allows, and records what it is sent.
 */
export class EmbeddingServer implements AsyncDisposable {
  readonly sent: SentTexts[] = [];
  /** Asked before vectors are made. Undefined: they are made. */
  otherwise: (sent: SentTexts) => OtherAnswer | undefined | Promise<OtherAnswer | undefined> = () => undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const { model, input } = JSON.parse(await text(request));
      const { url: path = "", headers } = request;
      const key = String(headers["idempotency-key"]);
      const sent = { path, authorization: headers.authorization, key, model, input };
      this.sent.push(sent);
      const { status, body, headers: more } = (await this.otherwise(sent)) ?? { status: 200, body: vectorsOf(sent) };
      response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body ?? {}));
    });
  }

  static async start(): Promise<EmbeddingServer> {
    const server = new EmbeddingServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** URL above `/embeddings`. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  /** What was sent whose texts begin so. */
  about(mark: string): SentTexts[] {
    return this.sent.filter(({ input }) => input.some((each) => each.startsWith(mark)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

/** As the protocol answers them. */
export function vectorsOf({ model, input }: Pick<SentTexts, "model" | "input">) {
  const numberOf = (said: string, name: string) => Number(new RegExp(`${name}=(-?[0-9.]+)`).exec(said)?.[1] ?? 0);
  const data = input.map((said, index) => {
    return { object: "embedding", index, embedding: ["x", "y"].map((name) => numberOf(said, name)) };
  });
  return { object: "list", model, data: data.reverse(), usage: { prompt_tokens: 0, total_tokens: 0 } };
}
