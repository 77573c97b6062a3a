import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  AnswerBody,
  AnswerHeaders,
  AnswerStream,
  BodyLimits,
  Exchange,
  PieceLimits,
} from "../exchange/exchange.ts";
import { leaveBody, readBytes, readPieces } from "./body.ts";

/** A request that a server of `node:http` has. */
export class NodeExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get target(): string {
    return this.#request.url ?? "";
  }

  get isOpen(): boolean {
    return !this.#response.headersSent && !this.#response.destroyed;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.at(-1) : value;
  }

  answerHeader(name: string): string | undefined {
    const value = this.#response.getHeader(name);
    return Array.isArray(value) ? value.join(", ") : value?.toString();
  }

  readBytes(limits: BodyLimits): Promise<Buffer> {
    return readBytes(this.#request, limits);
  }

  readPieces(limits: PieceLimits): AsyncGenerator<Buffer, void, undefined> {
    return readPieces(this.#request, limits);
  }

  leaveBody(pauseMs: number): AnswerHeaders {
    return leaveBody(this.#request, pauseMs);
  }

  watchClient(): AbortSignal {
    const response = this.#response;
    const gone = new AbortController();
    const onClose = () => {
      if (!response.writableFinished) gone.abort();
    };
    response.once("close", onClose);
    if (response.closed) onClose();
    return gone.signal;
  }

  send(status: number, headers: AnswerHeaders, body?: AnswerBody): void {
    this.#response.writeHead(status, headers).end(body);
  }

  stream(status: number, headers: AnswerHeaders): AnswerStream {
    const response = this.#response;
    response.writeHead(status, headers).flushHeaders();
    return {
      get isFull() {
        return response.writableNeedDrain;
      },
      write: (bytes) => response.write(bytes),
      drained: (signal) => once(response, "drain", { signal }),
      end: () => response.end(),
    };
  }

  abandon(): void {
    this.#response.destroy();
  }
}
