/** Characters of a line; a longer one is cut into several. */
const maxLine = 4_096;
/** Characters passed on in a second; more than the runtime lets its handler write, so that it is for a runtime that is broken. */
const maxPerSecond = 65_536;

/** Passes on what a process writes line by line, cut to what a log can take. */
export class OutputLines {
  readonly #onLine: (line: string) => void;
  #begun = "";
  #windowEndsAt = 0;
  #passed = 0;
  #dropped = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(text: string): void {
    const lines = (this.#begun + text).split("\n");
    this.#begun = lines.pop() ?? "";
    for (const line of lines) this.#passOn(line);
    for (; this.#begun.length > maxLine; this.#begun = this.#begun.slice(maxLine)) this.#passOn(this.#begun);
  }

  /** Passes on what has no line end. */
  end(): void {
    this.#passOn(this.#begun);
    this.#begun = "";
    this.#reportDropped();
  }

  #passOn(written: string): void {
    const line = written.trimEnd().slice(0, maxLine);
    if (line === "") return;
    const now = performance.now();
    if (now >= this.#windowEndsAt) {
      this.#reportDropped();
      this.#windowEndsAt = now + 1_000;
      this.#passed = 0;
    }
    this.#passed += line.length;
    if (this.#passed <= maxPerSecond) this.#onLine(line);
    else this.#dropped += 1;
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.#onLine(`[${this.#dropped} lines of output left out]`);
    this.#dropped = 0;
  }
}
