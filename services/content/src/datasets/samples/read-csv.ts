import { once } from "node:events";
import { CsvError, type Options, Parser } from "csv-parse";
import type { Column } from "../dataset.ts";
import { guessType } from "./guess-type.ts";
import { assertColumnNames, unreadable } from "./unreadable-sample.ts";

/** A line of the file: its number, counted from 1, and its values. */
interface Row {
  line: number;
  values: readonly string[];
}

/** Rows that types are guessed from. */
const mostRows = 1_000;
const delimiters = [",", ";", "\t", "|"];

/**
 * Columns of a CSV file from its beginning. UTF-8, with or without a byte order mark; the first line that is not empty names the
 * columns; whichever of `,` `;` tab `|` it has most of separates them. Rejects with InvalidFieldsError.
 */
export async function readCsv(bytes: Uint8Array): Promise<Column[]> {
  const text = decode(bytes);
  const [header, ...rows] = await rowsOf(text);
  if (!header) throw unreadable(text.includes('"') ? "A quoted value has no end" : "There is no header");
  assertColumnNames(header.values);
  assertNotLonger(rows, header.values.length);
  return header.values.map((name, index) => ({ name, type: guessType(rows.map(({ values }) => values[index] ?? "")) }));
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    // As a stream: the end of the sample may be in the middle of a character.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw unreadable("The file is not text in UTF-8");
  }
  if (text.includes("\0")) throw unreadable("The file is not text in UTF-8: it has NUL characters");
  return text;
}

/**
 * The first rows. The last one counts only with its line end, because the sample may have cut it, unless there is no other.
 */
async function rowsOf(text: string): Promise<Row[]> {
  const whole = await parse(text);
  return whole.length > 1 ? whole : parse(`${text}\n`);
}

async function parse(text: string): Promise<Row[]> {
  const options: Options = {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    to: mostRows + 1,
  };
  const parser = new Parser(options);
  // Not ended: what stands behind the last line end is no row.
  const parsed = new Promise<void>((resolve) => parser.write(text, () => resolve()));
  const failed = once(parser, "error").then(([error]) => Promise.reject(error));
  try {
    await Promise.race([parsed, failed]);
  } catch (error) {
    throw error instanceof CsvError ? unreadable(`Line ${Number(error["lines"])}: ${error.message}`) : error;
  }
  const rows: Row[] = [];
  for (let row = parser.read(); row !== null; row = parser.read()) {
    rows.push({ line: row.info.lines, values: row.record });
  }
  return rows;
}

/** The separator that the first line has most of outside of quotes; the earlier one of the list where two are alike. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>();
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if ((character === "\n" || character === "\r") && !isBlank) break;
    if (character.trim() !== "") isBlank = false;
    if (delimiters.includes(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [first = ","] = delimiters.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return first;
}

/** Values beyond the last column have no name. Missing ones are only missing. */
function assertNotLonger(rows: readonly Row[], columns: number): void {
  const longer = rows.filter(({ values }) => values.slice(columns).some((value) => value !== ""));
  if (longer.length === 0) return;
  throw unreadable(
    ...longer.map(({ line, values }) => `Line ${line} has ${values.length} values, and the header names ${columns}`),
  );
}
