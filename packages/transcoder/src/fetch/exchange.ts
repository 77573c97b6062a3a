import type {
  AnswerBody,
  AnswerHeaders,
  AnswerStream,
  BodyLimits,
  Exchange,
  PieceLimits,
} from "../exchange/exchange.ts";
import { readBytes, readPieces } from "./body.ts";
import { StreamedBody } from "./streamed-body.ts";

/** Statuses of answers that have no body. */
const bodiless = new Set([204, 205, 304]);

/** Workers would compress again what is compressed already. Other runtimes do not know the word. */
const asTheyAre = { encodeBody: "manual" };

/** A request as fetch has it. */
export class FetchExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  /** Headers that the answer has whatever it is. */
  readonly answerHeaders: Headers = new Headers();
  readonly #request: Request;
  readonly #answer = Promise.withResolvers<Response>();
  /** Aborted when the reader of a streamed answer goes. */
  readonly #left = new AbortController();
  #stream: StreamedBody | undefined;
  #isOpen = true;

  constructor(request: Request) {
    const { pathname, search } = new URL(request.url);
    this.#request = request;
    this.method = request.method;
    this.target = pathname + search;
  }

  /** Settled with the first bytes of the answer. */
  get answer(): Promise<Response> {
    return this.#answer.promise;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  answerHeader(name: string): string | undefined {
    return this.answerHeaders.get(name) ?? undefined;
  }

  readBytes(limits: BodyLimits): Promise<Buffer> {
    return readBytes(this.#request, limits);
  }

  readPieces(limits: PieceLimits): AsyncGenerator<Buffer, void, undefined> {
    return readPieces(this.#request, limits);
  }

  /** What nothing reads, the server of the handler throws away. */
  leaveBody(): AnswerHeaders {
    return {};
  }

  watchClient(): AbortSignal {
    return AbortSignal.any([this.#request.signal, this.#left.signal]);
  }

  send(status: number, headers: AnswerHeaders, body?: AnswerBody): void {
    this.#respond(status, headers, bodiless.has(status) ? undefined : body);
  }

  stream(status: number, headers: AnswerHeaders): AnswerStream {
    const stream = new StreamedBody(() => this.#left.abort());
    this.#stream = stream;
    this.#respond(status, headers, stream.readable);
    return stream;
  }

  abandon(): void {
    this.#stream?.abandon();
  }

  /** Rejects the answer, unless there is one. */
  fail(error: unknown): void {
    this.#answer.reject(error);
  }

  #respond(status: number, headers: AnswerHeaders, body: AnswerBody | ReadableStream<Uint8Array> | undefined): void {
    const all = new Headers(this.answerHeaders);
    for (const [name, value] of Object.entries(headers)) {
      all.delete(name);
      for (const each of [value].flat()) all.append(name, each);
    }
    this.#answer.resolve(new Response(body ?? null, { status, headers: all, ...asTheyAre }));
    this.#isOpen = false;
  }
}
