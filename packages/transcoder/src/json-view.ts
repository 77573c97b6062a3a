import { skipSpace } from "./json-scanner.ts";

/** What a JSON value is. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/**
 * A value inside a text that {@link scanJson} has accepted. Nothing is decoded until it is asked for, so that a
 * free-form value of a megabyte costs one look, keeps all its digits, and can be passed on byte for byte.
 */
export class JsonView {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;

  private constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
  }

  /** The value that a scanned text holds. */
  static of(text: string): JsonView {
    const start = skipSpace(text, 0);
    return new JsonView(text, start, endOfValue(text, start));
  }

  get kind(): JsonKind {
    const code = this.#text.charCodeAt(this.#start);
    if (code === 0x22) return "string";
    if (code === 0x7b) return "object";
    if (code === 0x5b) return "array";
    if (code === 0x74 || code === 0x66) return "boolean";
    return code === 0x6e ? "null" : "number";
  }

  /** The value as it stands in the text. */
  get raw(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  /** A string's characters. */
  get string(): string {
    const inner = this.#text.slice(this.#start + 1, this.#end - 1);
    return inner.includes("\\") ? String(JSON.parse(this.raw)) : inner;
  }

  /** An object's members; of equal keys the last one counts. */
  members(): Map<string, JsonView> {
    const members = new Map<string, JsonView>();
    const text = this.#text;
    let index = skipSpace(text, this.#start + 1);
    while (text.charCodeAt(index) === 0x22) {
      const keyEnd = endOfString(text, index);
      const key = new JsonView(text, index, keyEnd).string;
      const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
      const end = endOfValue(text, start);
      members.set(key, new JsonView(text, start, end));
      index = skipSpace(text, end);
      if (text.charCodeAt(index) !== 0x2c) break;
      index = skipSpace(text, index + 1);
    }
    return members;
  }

  /** An array's items. */
  items(): JsonView[] {
    const items: JsonView[] = [];
    const text = this.#text;
    let index = skipSpace(text, this.#start + 1);
    while (text.charCodeAt(index) !== 0x5d) {
      const end = endOfValue(text, index);
      items.push(new JsonView(text, index, end));
      index = skipSpace(text, end);
      if (text.charCodeAt(index) === 0x2c) index = skipSpace(text, index + 1);
    }
    return items;
  }
}

function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === 0x22) return endOfString(text, start);
  if (code === 0x7b || code === 0x5b) return endOfContainer(text, start);
  let index = start;
  while (index < text.length && !isBoundary(text.charCodeAt(index))) index++;
  return index;
}

function isBoundary(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return index + 1;
    index += code === 0x5c ? 2 : 1;
  }
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      index = endOfString(text, index);
      continue;
    }
    index++;
    if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return index;
  }
}
