import { type ContainerEnds, noEnds, skipPlain, skipSpace } from "./scanner.ts";

/** What a JSON value is. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A text that was scanned, and what was found on the way. */
interface Scanned {
  readonly text: string;
  readonly ends: ContainerEnds;
}

/**
 * A value inside a text that {@link scanJson} has accepted. Nothing is decoded until it is asked for, so that a
 * free-form value of a megabyte costs one look, keeps all its digits, and can be passed on byte for byte.
 */
export class JsonView {
  readonly #scanned: Scanned;
  readonly #start: number;
  readonly #end: number;

  private constructor(scanned: Scanned, start: number, end: number) {
    this.#scanned = scanned;
    this.#start = start;
    this.#end = end;
  }

  /** The value that a scanned text holds. With what {@link scanJson} answered, long values are not looked through again. */
  static of(text: string, ends: ContainerEnds = noEnds): JsonView {
    const scanned = { text, ends };
    const start = skipSpace(text, 0);
    return new JsonView(scanned, start, endOfValue(scanned, start));
  }

  get #text(): string {
    return this.#scanned.text;
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
    return stringIn(this.#text, this.#start, this.#end);
  }

  /** An object's members, all or those of some names; of equal keys the last one counts. */
  members(names?: readonly string[]): ReadonlyMap<string, JsonView> {
    const members = new Map<string, JsonView>();
    const scanned = this.#scanned;
    const { text } = scanned;
    let index = skipSpace(text, this.#start + 1);
    while (text.charCodeAt(index) === 0x22) {
      const keyEnd = endOfString(text, index);
      const key = names === undefined ? stringIn(text, index, keyEnd) : nameIn(text, index, keyEnd, names);
      const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
      const end = endOfValue(scanned, start);
      if (key !== undefined) members.set(key, new JsonView(scanned, start, end));
      index = skipSpace(text, end);
      if (text.charCodeAt(index) !== 0x2c) break;
      index = skipSpace(text, index + 1);
    }
    return members;
  }

  /** An array's items. */
  items(): JsonView[] {
    const items: JsonView[] = [];
    this.#walk((start, end) => items.push(new JsonView(this.#scanned, start, end)));
    return items;
  }

  /** How many items an array has, where they are more than `most`. */
  countBeyond(max: number): number | undefined {
    // An item takes one character at least, and one goes between two.
    if (this.#end - this.#start <= 2 * max) return undefined;
    let count = 0;
    this.#walk(() => count++);
    return count > max ? count : undefined;
  }

  #walk(visit: (start: number, end: number) => void): void {
    const scanned = this.#scanned;
    const { text } = scanned;
    let index = skipSpace(text, this.#start + 1);
    while (text.charCodeAt(index) !== 0x5d) {
      const end = endOfValue(scanned, index);
      visit(index, end);
      index = skipSpace(text, end);
      if (text.charCodeAt(index) === 0x2c) index = skipSpace(text, index + 1);
    }
  }
}

/** Which of the names stands there. A body may have members by the ten thousand: none is decoded that may be passed over. */
function nameIn(text: string, start: number, end: number, names: readonly string[]): string | undefined {
  const length = end - start - 2;
  for (const name of names) if (name.length === length && text.startsWith(name, start + 1)) return name;
  if (skipPlain(text, start + 1) === end - 1) return undefined;
  const key = stringIn(text, start, end);
  return names.includes(key) ? key : undefined;
}

function stringIn(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? String(JSON.parse(text.slice(start, end))) : inner;
}

function endOfValue(scanned: Scanned, start: number): number {
  const { text, ends } = scanned;
  const code = text.charCodeAt(start);
  if (code === 0x22) return endOfString(text, start);
  if (code === 0x7b || code === 0x5b) return ends.get(start) ?? endOfContainer(text, start);
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
    index = code === 0x5c ? index + 2 : skipPlain(text, index + 1);
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
