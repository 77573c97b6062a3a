import { ListFault } from "./list-fault.ts";

/** Comparisons, those of two characters first. */
export const operators = ["<=", ">=", "!=", "=", "<", ">", ":"] as const;

export type Operator = (typeof operators)[number];

/** A value as it was written. */
export interface FilterText {
  text: string;
  isQuoted: boolean;
  offset: number;
}

/** A field as it was written: `metrics."val/loss"` has two segments. */
export interface FieldPath {
  segments: string[];
  offset: number;
}

const spaces = new Set([" ", "\t", "\n", "\r"]);
const endOfValue = new Set([...spaces, "(", ")", '"', "'"]);
const endOfPath = new Set([...endOfValue, "=", "!", "<", ">", ":", ","]);

/** Reads a filter from left to right; each character is looked at a fixed number of times. */
export class FilterReader {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Of the next character that is no space. */
  get offset(): number {
    while (spaces.has(this.#text[this.#offset] ?? "")) this.#offset++;
    return this.#offset;
  }

  get isAtEnd(): boolean {
    return this.offset === this.#text.length;
  }

  /** What stands here, for an error: without words of the caller, which errors must not carry into logs. */
  found(): string {
    if (this.isAtEnd) return "the end";
    const next = this.#text[this.#offset] ?? "";
    return endOfPath.has(next) ? JSON.stringify(next) : "a word";
  }

  /** Whether this character is next; it is read. */
  takes(character: string): boolean {
    if (this.#text[this.offset] !== character) return false;
    this.#offset++;
    return true;
  }

  /** Whether this word is next; it is read. */
  takesWord(word: string): boolean {
    if (this.word() !== word) return false;
    this.#offset += word.length;
    return true;
  }

  /** The word that is next. */
  word(): string {
    return this.#text.slice(this.offset, this.#endOf(endOfPath, this.offset));
  }

  operator(): Operator | undefined {
    const operator = operators.find((each) => this.#text.startsWith(each, this.offset));
    this.#offset += operator?.length ?? 0;
    return operator;
  }

  /** A field; its segments are separated by dots, and any of them may be quoted. */
  path(): FieldPath | undefined {
    const offset = this.offset;
    const segments: string[] = [];
    do {
      const quoted = this.#quoted();
      if (quoted !== undefined) segments.push(quoted);
      else segments.push(...this.#bare(endOfPath).split("."));
      // A quoted segment follows the dot that ended the bare text.
      if (segments.at(-1) === "" && isQuote(this.#text[this.#offset])) segments.pop();
    } while (this.#continuesPath());
    return segments.every((segment) => segment !== "") ? { segments, offset } : undefined;
  }

  value(): FilterText | undefined {
    const offset = this.offset;
    const quoted = this.#quoted();
    if (quoted !== undefined) return { text: quoted, isQuoted: true, offset };
    const text = this.#bare(endOfValue);
    return text === "" ? undefined : { text, isQuoted: false, offset };
  }

  #continuesPath(): boolean {
    const next = this.#text[this.#offset];
    const before = this.#text[this.#offset - 1];
    if (isQuote(next)) return before === ".";
    if (next !== "." || !isQuote(before)) return false;
    this.#offset++;
    return true;
  }

  #bare(end: ReadonlySet<string>): string {
    const start = this.#offset;
    this.#offset = this.#endOf(end, start);
    return this.#text.slice(start, this.#offset);
  }

  #endOf(end: ReadonlySet<string>, start: number): number {
    let at = start;
    while (at < this.#text.length && !end.has(this.#text[at] ?? "")) at++;
    return at;
  }

  /** A text in quotes; a backslash takes the character behind it as it is. */
  #quoted(): string | undefined {
    const start = this.#offset;
    const quote = this.#text[start];
    if (!isQuote(quote)) return undefined;
    const characters: string[] = [];
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text[at] ?? "";
      if (character === quote) {
        this.#offset = at + 1;
        return characters.join("");
      }
      if (character === "\\") at++;
      characters.push(this.#text[at] ?? "");
    }
    throw new ListFault(start, `the text is not closed: end it with ${quote}`);
  }
}

function isQuote(character: string | undefined): character is string {
  return character === '"' || character === "'";
}
