import { createReadStream } from "node:fs";

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/**
 * The line on which a record of a CSV file begins, from 1. `record`: from 0, the header; empty lines are no records. For faults
 * alone: it reads the file from its beginning.
 */
export async function lineOfRecord(path: string, record: number): Promise<number> {
  const counter = new RecordCounter(record);
  const stream = createReadStream(path, { highWaterMark: 1_048_576 });
  for await (const part of stream) if (counter.read(part)) break;
  return counter.line;
}

/** Counts lines until a record begins. */
export class RecordCounter {
  /** Where it is. */
  line = 1;
  #left: number;
  #isQuoted = false;
  #isEmpty = true;
  #last = 0;

  constructor(record: number) {
    this.#left = record;
  }

  /** Whether the record begins within these bytes, or in those before. */
  read(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      const isEnd = byte === lineFeed || byte === carriageReturn;
      // The second half of a line end of two characters.
      const isSecond = byte === lineFeed && this.#last === carriageReturn;
      this.#last = byte;
      if (isEnd) {
        if (!isSecond) this.#endLine();
        continue;
      }
      if (this.#isEmpty && !this.#isQuoted && this.#left === 0) return true;
      this.#isEmpty = false;
      if (byte === quote) this.#isQuoted = !this.#isQuoted;
    }
    return false;
  }

  #endLine(): void {
    this.line += 1;
    if (this.#isQuoted) return;
    if (!this.#isEmpty) this.#left -= 1;
    this.#isEmpty = true;
  }
}

/** The first line that ends in another way than the first one: LF, CR LF or CR. Undefined: all end alike. */
export async function lineOfOtherEnd(path: string): Promise<number | undefined> {
  let [line, first, last] = [1, "", 0];
  const stream = createReadStream(path, { highWaterMark: 1_048_576 });
  for await (const part of stream) {
    const bytes: Uint8Array = part;
    for (const byte of bytes) {
      const end = byte === lineFeed ? (last === carriageReturn ? "CR LF" : "LF") : last === carriageReturn ? "CR" : "";
      last = byte;
      if (end === "") continue;
      first ||= end;
      if (end !== first) return line;
      line += 1;
    }
  }
  return undefined;
}
