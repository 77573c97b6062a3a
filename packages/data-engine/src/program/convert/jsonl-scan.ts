import { createReadStream } from "node:fs";
import type { FileFault } from "../../errors.ts";
import type { SourceFile } from "../../gen/data_engine_pb.js";

const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What the lines of a JSONL file may have. */
export interface LineBounds {
  readonly maxDepth: number;
  readonly maxCellBytes: number;
}

/** Looks at lines before DuckDB does: its reader of JSON calls itself for each level, and a deep line would end the process. */
export class LineScan {
  /** From 1. */
  line = 1;
  #depth = 0;
  #length = 0;
  #isText = false;
  #isEscaped = false;
  readonly #bounds: LineBounds;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  /** The bound that these bytes go over; `line` is where. */
  read(bytes: Uint8Array): "depth" | "cell" | undefined {
    const { maxDepth, maxCellBytes } = this.#bounds;
    for (const byte of bytes) {
      // A line feed within a text is no JSON: DuckDB says so.
      if (byte === lineFeed) this.#startLine();
      else if (++this.#length > maxCellBytes) return "cell";
      else if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === quote) this.#isText = !this.#isText;
      else if (this.#isText) this.#isEscaped = byte === backslash;
      else if (byte === openBracket || byte === openBrace) {
        this.#depth += 1;
        if (this.#depth > maxDepth) return "depth";
      } else if (byte === closeBracket || byte === closeBrace) this.#depth -= 1;
    }
    return undefined;
  }

  #startLine(): void {
    this.line += 1;
    this.#depth = 0;
    this.#length = 0;
    this.#isText = false;
    this.#isEscaped = false;
  }
}

/** The first line that is too long or too deep. */
export async function scanLines(file: SourceFile, bounds: LineBounds): Promise<FileFault | undefined> {
  const scan = new LineScan(bounds);
  for await (const part of createReadStream(file.path, { highWaterMark: 1_048_576 })) {
    const rule = scan.read(part);
    if (rule) return { file: file.name, line: scan.line, rule, ...saidOf(rule, bounds) };
  }
  return undefined;
}

function saidOf(rule: "depth" | "cell", { maxDepth, maxCellBytes }: LineBounds) {
  return rule === "depth"
    ? {
        message: `Lists and objects lie within each other more than ${maxDepth} deep`,
        remedy: "Store deep values as texts.",
      }
    : { message: `The line is longer than ${maxCellBytes} bytes`, remedy: "Keep large values out of the file." };
}
