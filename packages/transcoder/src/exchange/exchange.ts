/** Bounds of a body. */
export interface BodyLimits {
  /** Most bytes, before and after decompression. */
  readonly bodyBytes: number;
  /** Milliseconds until the last byte must be there. */
  readonly bodyTimeoutMs: number;
}

/** Bytes of a piece of a body at most. */
export const maxPieceBytes = 256 * 1024;

/** How long a body that is read piece by piece is waited for. */
export interface PieceLimits {
  /** Milliseconds in which the next piece must come. */
  readonly pauseMs: number;
  /** Aborted when nothing more is wanted. */
  readonly stopped: AbortSignal;
}

/** Headers of an answer, by their names in lower case. Several values are sent as headers of their own. */
export type AnswerHeaders = Record<string, string | string[]>;

/** A text goes out in one write together with the headers, bytes in two. */
export type AnswerBody = string | Buffer<ArrayBuffer>;

/** An answer that is written piece by piece. */
export interface AnswerStream {
  /** Whether more waits than the reader takes. */
  readonly isFull: boolean;
  /** Writes bytes. False when more waits than the reader takes. */
  write(bytes: Buffer<ArrayBuffer>): boolean;
  /** Waits until the reader takes more. Rejects when the signal is aborted. */
  drained(signal: AbortSignal): Promise<unknown>;
  end(): void;
}

/** A request and its answer. Everything that answers one uses this, so that each form of a server is answered alike. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as in a request line. */
  readonly target: string;
  /** False once a status has been answered, or when the client has gone. */
  readonly isOpen: boolean;
  /** A header of the request, by its name in lower case; the last one where the form keeps several. */
  header(name: string): string | undefined;
  /** A header that the answer has already, by its name in lower case. */
  answerHeader(name: string): string | undefined;
  /** The whole body within limits, as it was sent. Throws an `HttpError`: 408, 413, 499. */
  readBytes(limits: BodyLimits): Promise<Buffer>;
  /**
   * The body as it arrives, in pieces of {@link maxPieceBytes} at most, each read only when it is asked for. Throws an `HttpError`: 408 when
   * nothing comes for so long, 499.
   */
  readPieces(limits: PieceLimits): AsyncGenerator<Buffer, void, undefined>;
  /** Has the rest of a body thrown away that nothing reads. Returns what the answer says of it. */
  leaveBody(pauseMs: number): AnswerHeaders;
  /** Aborted when the client goes before its answer is complete. */
  watchClient(): AbortSignal;
  /** Answers completely. */
  send(status: number, headers: AnswerHeaders, body?: AnswerBody): void;
  /** Begins an answer. */
  stream(status: number, headers: AnswerHeaders): AnswerStream;
  /** Breaks an answer off that has begun. */
  abandon(): void;
}
