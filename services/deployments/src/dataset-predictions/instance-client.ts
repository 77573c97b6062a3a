import { request as askPlain, type IncomingMessage, Agent as PlainAgent } from "node:http";
import { request as askOverTls, Agent as TlsAgent } from "node:https";
import { TrustedAuthorities } from "@aiplatform/service-host";
import type { ServingTlsConfig } from "../serving/serving-tls.ts";

/** Where a prediction is asked for, and with which right. */
export interface AskedInstance {
  /** Without a path. */
  url: string;
  token: string;
  modelName: string;
}

/** What an instance answered. */
export interface InstanceAnswer {
  status: number;
  body: Uint8Array;
}

/** The instance did not answer, or what it answered is too long. The prediction may have been computed. */
export class InstanceSilentError extends Error {
  override name = "InstanceSilentError";
}

interface ClientOptions {
  config: Pick<ServingTlsConfig, "SERVING_TLS_CA_FILE" | "SERVING_TLS_SERVER_NAME">;
  /** Of an answer. */
  maxBytes: number;
}

/** Shorter than an instance keeps a connection, so that none closes under a request. */
const idleMs = 15_000;
const maxSockets = 32;

/** Asks instances for predictions. One with a certificate has to prove that it is an instance, as it proves it to the gateway. */
export class InstanceClient implements Disposable {
  readonly #plain = new PlainAgent({ keepAlive: true, timeout: idleMs, maxSockets });
  // A session that is resumed would not be verified again.
  readonly #secure = new TlsAgent({ keepAlive: true, timeout: idleMs, maxSockets, maxCachedSessions: 0 });
  readonly #authorities: TrustedAuthorities | undefined;
  readonly #serverName: string;
  readonly #maxBytes: number;

  /** @throws SettingsError when the file of authorities cannot be used */
  constructor({ config: { SERVING_TLS_CA_FILE: path, SERVING_TLS_SERVER_NAME }, maxBytes }: ClientOptions) {
    this.#authorities =
      path === undefined ? undefined : new TrustedAuthorities({ setting: "SERVING_TLS_CA_FILE", path });
    this.#serverName = SERVING_TLS_SERVER_NAME;
    this.#maxBytes = maxBytes;
  }

  /** @throws InstanceSilentError, the reason of `signal` */
  async infer(instance: AskedInstance, body: Uint8Array, signal: AbortSignal): Promise<InstanceAnswer> {
    try {
      const answer = await this.#ask(instance, body, signal);
      return { status: answer.statusCode ?? 0, body: await this.#bounded(answer) };
    } catch (error) {
      signal.throwIfAborted();
      throw new InstanceSilentError("The instance did not answer", { cause: error });
    }
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #ask({ url, token, modelName }: AskedInstance, body: Uint8Array, signal: AbortSignal): Promise<IncomingMessage> {
    const target = `${url}/v2/models/${encodeURIComponent(modelName)}/infer`;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.byteLength,
    };
    const asking = { method: "POST", headers, signal };
    const asked = url.startsWith("https:")
      ? askOverTls(target, { ...asking, ...this.#proof() })
      : askPlain(target, { ...asking, agent: this.#plain });
    return new Promise((resolve, reject) => asked.once("response", resolve).on("error", reject).end(body));
  }

  #proof() {
    if (!this.#authorities) throw new TypeError("the instance has a certificate, and SERVING_TLS_CA_FILE is not set");
    return { secureContext: this.#authorities.context, servername: this.#serverName, agent: this.#secure };
  }

  async #bounded(answer: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of answer) {
      bytes += piece.byteLength;
      if (bytes > this.#maxBytes) throw new RangeError("the answer is too long");
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}
