import { InvalidFieldsError } from "@aiplatform/service-host";

/** A filter or an order of MLflow that says what lists cannot answer, or that is no such text. */
export class MlflowSearchError extends InvalidFieldsError {
  override name = "MlflowSearchError";
  constructor(field: SearchArgument, description: string) {
    super([{ field, reason: "SEARCH_UNSUPPORTED", description }]);
  }
}

/** What is compared: `metrics.loss` has an entity and a key, `status` a key alone. */
export interface ComparedName {
  entity: string;
  key: string;
}

const quotes = new Set(["'", '"', "`"]);
const endOfWord = new Set([" ", "\t", "\n", "\r", "=", "!", "<", ">", "(", ")", ",", ...quotes]);
const signs = ["!=", "<=", ">=", "=", "<", ">"] as const;

/** Arguments of MLflow's searches that are read. */
export type SearchArgument = "filter" | "order_by";

/** Reads a filter or an order of MLflow from left to right; each character is looked at a fixed number of times. */
export class MlflowFilterReader {
  readonly #text: string;
  readonly #argument: SearchArgument;
  #offset = 0;

  /** Errors name the argument that the text comes from. */
  constructor(text: string, argument: SearchArgument) {
    this.#text = text;
    this.#argument = argument;
  }

  get isAtEnd(): boolean {
    this.#skipSpaces();
    return this.#offset === this.#text.length;
  }

  /** A name, whose key may be quoted. */
  name(): ComparedName {
    const word = this.#word();
    const dot = word.indexOf(".");
    if (dot < 0) return { entity: "", key: word };
    const key = word.slice(dot + 1);
    const isQuoted = key === "" && quotes.has(this.#text[this.#offset] ?? "");
    return { entity: word.slice(0, dot), key: isQuoted ? this.#quoted() : key };
  }

  /** A sign, or the word that is next in capitals. */
  operator(): string {
    this.#skipSpaces();
    const sign = signs.find((each) => this.#text.startsWith(each, this.#offset));
    if (sign === undefined) return this.#word().toUpperCase();
    this.#offset += sign.length;
    return sign;
  }

  /** Whether this word is next, in any case; it is read. */
  takesWord(word: string): boolean {
    this.#skipSpaces();
    const end = this.#offset + word.length;
    if (this.#text.slice(this.#offset, end).toUpperCase() !== word) return false;
    const next = this.#text[end];
    if (next !== undefined && !endOfWord.has(next)) return false;
    this.#offset = end;
    return true;
  }

  takes(character: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  /** A quoted text, or a word such as a number. */
  value(): string {
    this.#skipSpaces();
    return quotes.has(this.#text[this.#offset] ?? "") ? this.#quoted() : this.#word();
  }

  #skipSpaces(): void {
    while (/\s/.test(this.#text[this.#offset] ?? "")) this.#offset++;
  }

  #word(): string {
    this.#skipSpaces();
    const start = this.#offset;
    while (this.#offset < this.#text.length && !endOfWord.has(this.#text[this.#offset] ?? "")) this.#offset++;
    if (this.#offset > start) return this.#text.slice(start, this.#offset);
    throw this.#fault(`has no word where one is expected, at character ${start + 1}`);
  }

  #quoted(): string {
    const start = this.#offset;
    const end = this.#text.indexOf(this.#text[start] ?? "", start + 1);
    if (end < 0) throw this.#fault(`has a text that is not closed, at character ${start + 1}`);
    this.#offset = end + 1;
    return this.#text.slice(start + 1, end);
  }

  #fault(description: string): MlflowSearchError {
    return new MlflowSearchError(this.#argument, description);
  }
}
