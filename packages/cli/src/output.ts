import { styleText } from "node:util";

/** How answers are written. */
export const outputFormats = ["table", "json", "jsonl", "yaml"] as const;

/** One of them. */
export type OutputFormat = (typeof outputFormats)[number];

/** What turns a value into text that ends with a line break. */
export type Writer = (value: unknown) => string;

/** Longest text of a cell. */
const widest = 60;

/** The writer of a format. `coloured`: for a terminal that shows colours. */
export async function writerOf(format: OutputFormat, { coloured = false } = {}): Promise<Writer> {
  // Loaded only for who wants it: it would double the time in which the program starts.
  if (format === "yaml") return (await import("yaml")).stringify;
  const title = (text: string) => (coloured ? styleText("bold", text, { validateStream: false }) : text);
  if (format === "table") return (value) => (Array.isArray(value) ? table(value, title) : members(value, title));
  if (format === "json") return (value) => `${JSON.stringify(value, undefined, 2)}\n`;
  return (value) => (Array.isArray(value) ? value : [value]).map((each) => `${JSON.stringify(each)}\n`).join("");
}

/** One record, a line for each of its members. */
function members(value: unknown, title: (text: string) => string): string {
  if (!isRecord(value)) return `${cell(value)}\n`;
  const rows = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, each]) => `${title(name.padEnd(width))}  ${plain(each)}\n`).join("");
}

function table(rows: readonly unknown[], title: (text: string) => string): string {
  const records = rows.map((row) => (isRecord(row) ? row : { value: row }));
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((column) =>
    records.some((record) => record[column] !== null && record[column] !== undefined),
  );
  const lines = [columns, ...records.map((record) => columns.map((column) => cell(record[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const padded = (line: string[]) =>
    line
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return lines.map((line, index) => `${index === 0 ? title(padded(line)) : padded(line)}\n`).join("");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cell(value: unknown): string {
  const text = plain(value);
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

function plain(value: unknown): string {
  const text =
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  // What a terminal would act on is not passed to it.
  return text.replaceAll(/\p{Cc}/gu, " ");
}
