import { CsvError, parse } from "csv-parse/sync";
import type { FileRule } from "../../errors.ts";

/** What the beginning of a CSV file tells of the rest. */
export interface CsvHead {
  readonly delimiter: string;
  /** Lines in front of the header. */
  readonly emptyLines: number;
  readonly names: readonly string[];
}

/** Why a header cannot be used. */
export class HeaderError extends Error {
  readonly rule: FileRule;
  readonly line: number;
  readonly remedy: string;
  constructor(rule: FileRule, message: string, at: { readonly line: number; readonly remedy: string }) {
    super(message);
    this.rule = rule;
    this.line = at.line;
    this.remedy = at.remedy;
  }
}

/** Bytes of the longest header. */
export const maxHeaderBytes = 4 * 1_048_576;
const maxNameLength = 255;
const delimiters = [",", ";", "\t", "|"];
const byteOrderMark = "\ufeff";

/**
 * Reads the header of a CSV file: the first line that is not empty. Whichever of `,` `;` tab `|` it has most of separates values.
 * @throws HeaderError
 */
export function readHead(beginning: Uint8Array): CsvHead {
  const text = decode(beginning);
  const { start, end, emptyLines, delimiter } = surveyOf(text);
  const line = emptyLines + 1;
  if (end === start) {
    const [message, remedy] =
      start < maxHeaderBytes / 4
        ? ["The file has no header", "Begin the file with a line that names the columns."]
        : ["The header has no end", "Check the quotes of the first line."];
    throw new HeaderError("header", message, { line, remedy });
  }
  try {
    const [names = []] = parse(text.slice(start, end), { delimiter });
    assertNames(names, line);
    return { delimiter, emptyLines, names };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new HeaderError("quote", "The quotes of the header do not match", {
      line,
      remedy: 'Put a name that has a quote into quotes, and write each quote in it twice: "".',
    });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // As a stream: the end of the beginning may be in the middle of a character.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    return text.startsWith(byteOrderMark) ? text.slice(1) : text;
  } catch {
    throw new HeaderError("utf8", "The file is not text in UTF-8", { line: 1, remedy: "Save the file as UTF-8." });
  }
}

/** Where the header is in the text, and what separates its names. */
function surveyOf(text: string): { start: number; end: number; emptyLines: number; delimiter: string } {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let [start, emptyLines, isQuoted, index] = [0, 0, false, 0];
  for (; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') isQuoted = !isQuoted;
    const isEnd = !isQuoted && (character === "\n" || character === "\r");
    if (isEnd && index > start) break;
    if (isEnd) {
      if (character === "\r" && text.charAt(index + 1) === "\n") index += 1;
      emptyLines += 1;
      start = index + 1;
      continue;
    }
    const count = isQuoted ? undefined : counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [delimiter = ","] = delimiters.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return { start, end: isQuoted ? start : index, emptyLines, delimiter };
}

function assertNames(names: readonly string[], line: number): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const refuse = (message: string, remedy: string) => {
      throw new HeaderError("header", message, { line, remedy });
    };
    if (name.trim() === "") refuse(`Column ${index + 1} has no name`, "Name each column in the first line.");
    if (name.includes("\0")) refuse(`The name of column ${index + 1} has a NUL character`, "Save the file as UTF-8.");
    if (name.length > maxNameLength)
      refuse(`The name of column ${index + 1} is longer than ${maxNameLength} characters`, "Give it a shorter name.");
    // DuckDB does not tell them apart by case.
    const key = name.toLowerCase();
    if (seen.has(key))
      refuse(`Two columns are called ${name}, whatever the case`, "Give each column a name of its own.");
    seen.add(key);
  }
}
