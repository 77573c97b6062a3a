import type { Readable } from "node:stream";
import { OutputLines } from "./output-lines.ts";

/** What is kept of what was written last, characters. */
const maxTail = 4_096;
/** What is read of a stream in one window of time; a flood waits for the next, instead of taking our time. */
const maxPerWindow = 1_048_576;
const windowMs = 100;

export interface OutputListeners {
  onPort: () => void;
  /** Called with each line on standard error, cut to what a log can take: the runtime writes there what its handler says. */
  onLine: (line: string) => void;
}

/** What a process writes: its first line tells where it listens, of the rest only the end is kept. */
export class ChildOutput {
  /** Port for HTTP, once it is known. */
  port: number | undefined;
  #end = "";
  #firstLine: string | undefined = "";

  constructor(stdout: Readable, stderr: Readable, { onPort, onLine }: OutputListeners) {
    const lines = new OutputLines(onLine);
    throttled(stdout, (text) => {
      this.#append(text);
      this.#seekPort(text);
      if (this.port !== undefined && this.#firstLine !== undefined) {
        this.#firstLine = undefined;
        onPort();
      }
    });
    throttled(stderr, (text) => {
      this.#append(text);
      lines.write(text);
    });
    stderr.once("close", () => lines.end());
  }

  /** The last line that says something; undefined where there is none. */
  get lastLine(): string | undefined {
    return this.#end
      .split("\n")
      .map((line) => line.trim())
      .findLast((line) => line !== "" && !line.startsWith("Node.js v"))
      ?.slice(0, 300);
  }

  /** Whether the text occurs in what is kept. */
  includes(text: string): boolean {
    return this.#end.includes(text);
  }

  #append(text: string): void {
    this.#end = (this.#end + text).slice(-maxTail);
  }

  #seekPort(text: string): void {
    if (this.#firstLine === undefined || this.port !== undefined) return;
    this.#firstLine = (this.#firstLine + text).slice(0, maxTail);
    const end = this.#firstLine.indexOf("\n");
    if (end >= 0) this.port = portOf(this.#firstLine.slice(0, end));
  }
}

function portOf(line: string): number | undefined {
  try {
    const said: unknown = JSON.parse(line);
    const isObject = typeof said === "object" && said !== null && "port" in said;
    return isObject && typeof said.port === "number" ? said.port : undefined;
  } catch {
    return undefined;
  }
}

function throttled(stream: Readable, take: (text: string) => void): void {
  let read = 0;
  let since = performance.now();
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (text: string) => {
    take(text);
    const now = performance.now();
    if (now - since > windowMs) {
      since = now;
      read = 0;
    }
    read += text.length;
    if (read < maxPerWindow) return;
    stream.pause();
    setTimeout(() => stream.resume(), windowMs);
  });
}
