import { type FieldPath, FilterReader, type FilterText, type Operator } from "./filter-text.ts";
import { ListFault } from "./list-fault.ts";

/** A comparison as it was written. */
export interface Restriction {
  kind: "restriction";
  path: FieldPath;
  operator: Operator;
  value: FilterText;
}

/** A filter of comparisons. */
export type Expression<T> = T | { kind: "and" | "or"; of: Expression<T>[] } | { kind: "not"; of: Expression<T> };

/** Characters of a filter at most. */
export const maxFilterLength = 1_000;
/** Comparisons in a filter at most. */
export const maxRestrictions = 32;
/** Parentheses and NOTs around a comparison at most. */
export const maxDepth = 8;

/** Undefined for a text without anything. @throws ListFault */
export function parseFilter(text: string): Expression<Restriction> | undefined {
  if (text.length > maxFilterLength)
    throw new ListFault(maxFilterLength, `the filter has more than ${maxFilterLength} characters`);
  const parser = new FilterParser(text);
  return parser.filter();
}

class FilterParser {
  readonly #reader: FilterReader;
  #restrictions = 0;

  constructor(text: string) {
    this.#reader = new FilterReader(text);
  }

  filter(): Expression<Restriction> | undefined {
    if (this.#reader.isAtEnd) return undefined;
    const expression = this.#expression(0);
    if (!this.#reader.isAtEnd) throw this.#expected("AND, OR or the end");
    return expression;
  }

  #expression(depth: number): Expression<Restriction> {
    const first = this.#term(depth);
    const joint = this.#joint();
    if (joint === undefined) return first;
    const of = [first, this.#term(depth)];
    for (let offset = this.#reader.offset, next = this.#joint(); next !== undefined; next = this.#joint()) {
      if (next !== joint) {
        throw new ListFault(
          offset,
          "AND and OR stand side by side: put one of them into parentheses, such as a = 1 AND (b = 2 OR c = 3)",
        );
      }
      of.push(this.#term(depth));
      offset = this.#reader.offset;
    }
    return { kind: joint === "AND" ? "and" : "or", of };
  }

  #joint(): "AND" | "OR" | undefined {
    const word = this.#reader.word();
    if (word === "and" || word === "or" || word === "not") {
      throw new ListFault(this.#reader.offset, `write ${word.toUpperCase()} in capitals`);
    }
    if (this.#reader.takesWord("AND")) return "AND";
    return this.#reader.takesWord("OR") ? "OR" : undefined;
  }

  #term(depth: number): Expression<Restriction> {
    const { offset } = this.#reader;
    if (depth > maxDepth) throw new ListFault(offset, `parentheses and NOT are nested more than ${maxDepth} deep`);
    if (this.#reader.takesWord("NOT")) return { kind: "not", of: this.#term(depth + 1) };
    if (!this.#reader.takes("(")) return this.#restriction();
    const inner = this.#expression(depth + 1);
    if (!this.#reader.takes(")")) throw this.#expected("AND, OR or )");
    return inner;
  }

  #restriction(): Restriction {
    const { offset } = this.#reader;
    const path = this.#reader.path();
    if (path === undefined) throw new ListFault(offset, `expected a field, NOT or (, found ${this.#reader.found()}`);
    if (++this.#restrictions > maxRestrictions) {
      throw new ListFault(offset, `the filter has more than ${maxRestrictions} comparisons`);
    }
    const operator = this.#reader.operator();
    if (operator === undefined) throw this.#expected(`one of = != < <= > >= : after the field`);
    const value = this.#reader.value();
    if (value === undefined) throw this.#expected(`a value after ${operator}`);
    return { kind: "restriction", path, operator, value };
  }

  #expected(what: string): ListFault {
    return new ListFault(this.#reader.offset, `expected ${what}, found ${this.#reader.found()}`);
  }
}
