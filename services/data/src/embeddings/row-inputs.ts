import { createHash } from "node:crypto";
import { type RowInput, UnfitRowsError } from "./embedding.ts";
import { columnsOf, readTemplate, renderTemplate, type TemplatePart } from "./row-template.ts";

/** What one row is to the model. */
export type ModelInput = string | readonly number[];

/** An input, and a digest by which it is known again. */
export interface KeyedInput {
  readonly key: string;
  readonly input: ModelInput;
}

/** Characters of a digest: 128 bits. */
const keyLength = 32;
/** Numbers of 32 bits, exactly, in as few digits as may be. */
export const digits32 = 9;

/** Columns whose values are sent for a row. */
export function columnsOfInput(row: RowInput): string[] {
  return row.kind === "template" ? columnsOf(readTemplate(row.template)) : [row.column];
}

/** Makes inputs of rows. */
export class RowInputs {
  /** Columns that have to be read. */
  readonly columns: readonly string[];
  readonly #row: RowInput;
  readonly #parts: readonly TemplatePart[];

  constructor(row: RowInput) {
    this.#row = row;
    this.#parts = row.kind === "template" ? readTemplate(row.template) : [];
    this.columns = columnsOfInput(row);
  }

  /** The input of a row, which is an object of JSON. `place`: of the row, from 0. @throws UnfitRowsError */
  of(text: string, place: number): KeyedInput {
    const row: Record<string, unknown> = JSON.parse(text);
    const input = this.#row.kind === "template" ? renderTemplate(this.#parts, row) : this.#numbers(row, place);
    return { key: keyOf(input), input };
  }

  #numbers(row: Readonly<Record<string, unknown>>, place: number): number[] {
    if (this.#row.kind !== "column") return [];
    const { column, scale } = this.#row;
    const list = row[column];
    if (Array.isArray(list) && list.length > 0 && list.every(isNumber)) return scaled(list, scale);
    throw new UnfitRowsError({
      rule: "input",
      message: `The column ${JSON.stringify(column)} of row ${place} is no list of numbers`,
      remedy: "Create a version in which each row has one, or use a template",
    });
  }
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** As numbers of 32 bits. */
export function scaled(numbers: readonly number[], scale: number): number[] {
  return numbers.map((number) => Number((number * scale).toPrecision(digits32)));
}

function keyOf(input: ModelInput): string {
  const kind = typeof input === "string" ? "text" : "tensor";
  return createHash("sha256")
    .update(`${kind}\n${JSON.stringify(input)}`)
    .digest("hex")
    .slice(0, keyLength);
}
