import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One answer as it stands in the bytes of a connection. */
export interface RawAnswer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** A connection to the gateway on which anything at all can be sent. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isOver = false;
  readonly answers: RawAnswer[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#read();
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"]) socket.once(event, () => this.#end());
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** Whether the other side has ended it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  send(bytes: string | Buffer): void {
    if (this.#socket.writable) this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** Sends nothing more, and goes on listening. */
  finish(): void {
    this.#socket.end();
  }

  /** Resolves when so many answers are there, or the connection is over. Throws when neither happens in time. */
  async until(answers: number, withinMs = 10_000): Promise<void> {
    const signal = AbortSignal.timeout(withinMs);
    while (this.answers.length < answers && !this.#isOver) {
      await once(this.#socket, "progress", { signal });
    }
  }

  #read(): void {
    for (let next = firstAnswer(this.#received, this.#isOver); next; next = firstAnswer(this.#received, this.#isOver)) {
      this.#received = this.#received.subarray(next.length);
      // What goes before an answer is none.
      if (next.answer.status >= 200) this.answers.push(next.answer);
    }
    this.#socket.emit("progress");
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#read();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

function firstAnswer(bytes: Buffer, isOver: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [line = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  const headers = new Map(lines.map((each) => fieldOf(each)));
  const body = bodyOf(bytes.subarray(headEnd + 4), { status, headers, isOver });
  return body && { answer: { status, headers, body: body.text }, length: headEnd + 4 + body.length };
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function bodyOf(
  rest: Buffer,
  { status, headers, isOver }: Pick<RawAnswer, "status" | "headers"> & { isOver: boolean },
): { text: string; length: number } | undefined {
  if (status < 200 || status === 204 || status === 304) return { text: "", length: 0 };
  const declared = headers.get("content-length");
  if (declared !== undefined) {
    const length = Number(declared);
    return rest.length < length ? undefined : { text: rest.subarray(0, length).toString(), length };
  }
  if (headers.get("transfer-encoding") === "chunked") return chunksOf(rest);
  return isOver ? { text: rest.toString(), length: rest.length } : undefined;
}

function chunksOf(rest: Buffer): { text: string; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size;
    if (rest.length < end + 2) return undefined;
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: end + 2 };
    chunks.push(rest.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
