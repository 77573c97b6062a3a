import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { HttpError } from "@aiplatform/transcoder";

/** A body that is announced to be so small is read first, and sent in one piece with its headers. */
const smallBytes = 65_536;

/** The body of a request that may have to be sent to a second instance. */
export class PredictionBody {
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  #whole: Buffer | undefined;
  #isUnderWay = false;

  constructor(request: IncomingMessage, maxBytes: number) {
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  /** Whether some of it went somewhere, so that it cannot go elsewhere. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /**
   * What to send; null when there is nothing. A large one is not touched before its reader takes the first of it.
   * `ended` is called when the last of it was taken. @throws HttpError 413, also while it is taken
   */
  async open(ended: () => void): Promise<Buffer | Readable | null> {
    const { headers } = this.#request;
    const announced = Number(headers["content-length"] ?? 0);
    if (announced > this.#maxBytes) throw this.#tooLarge();
    if (headers["transfer-encoding"] !== undefined || announced > smallBytes) {
      return Readable.from(this.#chunks(ended), { objectMode: false });
    }
    if (announced === 0) return null;
    this.#whole ??= Buffer.concat(await this.#request.toArray());
    ended();
    return this.#whole;
  }

  async *#chunks(ended: () => void): AsyncGenerator<Buffer> {
    this.#isUnderWay = true;
    let bytes = 0;
    for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > this.#maxBytes) throw this.#tooLarge();
      yield chunk;
    }
    ended();
  }

  #tooLarge(): HttpError {
    return new HttpError(413, `The body is larger than ${this.#maxBytes} bytes`, "body_too_large");
  }
}
