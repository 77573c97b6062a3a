import { guessType } from "@aiplatform/column-types";
import { CsvError, type InfoRecord, parse } from "csv-parse/sync";
import type { Column } from "../dataset.ts";
import { assertColumnNames, unreadable } from "./unreadable-sample.ts";

/** A line of the file: its number, counted from 1, and its values. */
interface Row {
  line: number;
  values: readonly string[];
}

/** Rows that types are guessed from. */
const maxRows = 1_000;
/** Characters that are looked at: a quarter of a second for the parser. */
const maxText = 1024 * 1024;
const delimiters = [",", ";", "\t", "|"];
const format = {
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  skip_empty_lines: true,
  to: maxRows + 1,
};

/**
 * Columns of a CSV file from its beginning. UTF-8, with or without a byte order mark; the first line that is not empty
 * names the columns; whichever of `,` `;` tab `|` it has most of separates them.
 * @throws InvalidFieldsError
 */
export function readCsv(bytes: Uint8Array): Column[] {
  const text = decode(bytes);
  const [header, ...rows] = rowsOf(text);
  if (!header) throw unreadable("There is no header");
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

/** The first rows, the header among them. */
function rowsOf(text: string): Row[] {
  const { delimiter, ...survey } = surveyOf(text.slice(0, maxText));
  if (survey.rows === 0 && text.length > maxText)
    throw unreadable(`The first line is longer than ${maxText} characters`);
  // What stands behind the last line end may be cut. Where a file is that short, it is more likely not to have one.
  const isShort = survey.rows < 2 && !survey.isQuoted && text.length <= maxText;
  const rows: Row[] = [];
  const on_record = (values: string[], { lines }: InfoRecord) => {
    rows.push({ line: lines, values });
    return null;
  };
  try {
    parse(isShort ? text : text.slice(0, survey.end || undefined), { ...format, delimiter, on_record });
    return rows;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(`Line ${Number(error["lines"])}: ${error.message}`) : error;
  }
}

/** What can be told of a file without reading its values. */
interface Survey {
  /** What its first line has most of, outside of quotes; the earlier one of the list where two are alike. */
  delimiter: string;
  /** Rows that have their line end; none that is empty. */
  rows: number;
  /** Behind the last of them. */
  end: number;
  /** Whether the file ends within quotes. */
  isQuoted: boolean;
}

function surveyOf(text: string): Survey {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  const survey = { rows: 0, end: 0, isQuoted: false };
  let isEmpty = true;
  for (let index = 0; index < text.length && survey.rows <= maxRows; index++) {
    const character = text.charAt(index);
    const isLineEnd = character === "\n" || character === "\r";
    if (character === '"') survey.isQuoted = !survey.isQuoted;
    if (isLineEnd && !survey.isQuoted) {
      if (!isEmpty) Object.assign(survey, { rows: survey.rows + 1, end: index + 1 });
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    const count = survey.isQuoted || survey.rows > 0 ? undefined : counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [delimiter = ","] = delimiters.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return { delimiter, ...survey };
}

/** Values beyond the last column have no name. Missing ones are only missing. */
function assertNotLonger(rows: readonly Row[], columns: number): void {
  const longer = rows.filter(({ values }) => values.slice(columns).some((value) => value !== ""));
  if (longer.length === 0) return;
  throw unreadable(
    ...longer.map(({ line, values }) => `Line ${line} has ${values.length} values, and the header names ${columns}`),
  );
}
