import { EventEmitter, once } from "node:events";
import type { AnswerStream } from "../exchange/exchange.ts";

/** Bytes that may wait before the writer does; as many as a socket of Node lets wait. */
const highWaterMark = 64 * 1024;

/** The body of an answer that is written piece by piece. */
export class StreamedBody implements AnswerStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #events = new EventEmitter();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onLeft` is told when the reader has gone. */
  constructor(onLeft: () => void) {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => void this.#events.emit("drain"),
        cancel: () => {
          this.#controller = undefined;
          onLeft();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    );
  }

  get isFull(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  write(bytes: Buffer<ArrayBuffer>): boolean {
    this.#controller?.enqueue(bytes);
    return !this.isFull;
  }

  drained(signal: AbortSignal): Promise<unknown> {
    return once(this.#events, "drain", { signal });
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  abandon(): void {
    this.#controller?.error(new Error("The answer was broken off"));
    this.#controller = undefined;
  }
}
