import { connect, type Socket } from "node:net";

/** What a server answered: its status, and whether it said when to come again. */
export interface RawAnswer {
  readonly status: number;
  readonly saysWhen: boolean;
}

/**
 * One connection that carries one request at a time, written and read as text. It does a tenth of what a client of HTTP does, so that
 * a generator takes little of a processor which it shares with what it measures. It reads answers that have a `Content-Length`.
 */
export class RawConnection {
  readonly #socket: Socket;
  #waiting: { answered: (answer: RawAnswer) => void; failed: (error: Error) => void } | undefined;
  #received = "";
  #isOpen = true;

  constructor(port: number, hostname: string) {
    this.#socket = connect(port, hostname).setNoDelay(true);
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error: NodeJS.ErrnoException) => this.#fail(error.code ?? error.message));
    this.#socket.on("close", () => this.#fail("closed without an answer"));
  }

  /** Whether it can carry another request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a whole request. @throws Error when the connection ends before the answer is there */
  send(text: string): Promise<RawAnswer> {
    return new Promise((answered, failed) => {
      if (!this.#isOpen) throw new Error("closed before it was sent");
      this.#waiting = { answered, failed };
      this.#socket.write(text);
    });
  }

  /** Ends it; what waits for an answer fails. */
  close(): void {
    this.#socket.destroy();
    this.#fail("given up");
  }

  #read(chunk: Buffer): void {
    this.#received += chunk.toString("latin1");
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#received.slice(0, end).toLowerCase();
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    this.#received = "";
    const { answered } = this.#waiting ?? {};
    this.#waiting = undefined;
    if (head.includes("\r\nconnection: close")) this.close();
    answered?.({ status: Number(head.slice(9, 12)), saysWhen: head.includes("\r\nretry-after: ") });
  }

  #fail(reason: string): void {
    this.#isOpen = false;
    const { failed } = this.#waiting ?? {};
    this.#waiting = undefined;
    failed?.(new Error(reason));
  }
}
