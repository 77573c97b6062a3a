import { styleText } from "node:util";

/** How answers are written. */
export const outputFormats = ["table", "json", "jsonl", "yaml"] as const;

/** One of them. */
export type OutputFormat = (typeof outputFormats)[number];

/** What turns a value into text that ends with a line break. */
export type Writer = (value: unknown) => string;

/** Longest text of a cell. */
const widest = 60;

/** What is known of where the text goes. */
export interface OutputPlace {
  /** A terminal that shows colours. */
  readonly coloured?: boolean;
  /** Characters of a terminal's line: tables of records are no wider. Default: as wide as they are. */
  readonly columns?: number | undefined;
}

export async function writerOf(
  format: OutputFormat,
  { coloured = false, columns = Number.POSITIVE_INFINITY }: OutputPlace = {},
): Promise<Writer> {
  // Loaded only for who wants it: it would double the time in which the program starts.
  if (format === "yaml") return (await import("yaml")).stringify;
  const title = (text: string) => (coloured ? styleText("bold", text, { validateStream: false }) : text);
  if (format === "table")
    return (value) => (Array.isArray(value) ? table(value, { title, columns }) : members(value, title));
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

interface TableStyle {
  readonly title: (text: string) => string;
  readonly columns: number;
}

const gap = "  ";

function table(rows: readonly unknown[], { title, columns }: TableStyle): string {
  const records = rows.map((row) => (isRecord(row) ? row : { value: row }));
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) =>
    records.some((record) => record[name] !== null && record[name] !== undefined),
  );
  const lines = [names, ...records.map((record) => names.map((name) => cell(record[name])))];
  const widths = fittingWidths(lines, columns);
  const padded = (line: string[]) =>
    widths
      .map((width, index) => shortened(line[index] ?? "", width).padEnd(width))
      .join(gap)
      .trimEnd();
  const text = lines.map((line, index) => `${index === 0 ? title(padded(line)) : padded(line)}\n`).join("");
  const hidden = names.slice(widths.length);
  return hidden.length === 0 ? text : `${text}not shown here: ${hidden.join(", ")} (--output json shows all)\n`;
}

/** A column that has to give way keeps so many characters, but an id stays whole: half of one is of no use. */
const narrowest = 8;
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Widths of as many columns, from the first, as have room in a line. */
function fittingWidths(lines: readonly string[][], room: number): number[] {
  const natural = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const least = natural.map((width, index) => {
    const isId = lines.slice(1).some((line) => id.test(line[index] ?? ""));
    return isId ? width : Math.min(width, narrowest);
  });
  const widthOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gap.length, -gap.length);
  let shown = natural.length;
  while (shown > 1 && widthOf(least.slice(0, shown)) > room) shown--;
  const widths = least.slice(0, shown);
  let left = room - widthOf(widths);
  const missing = widths.map((width, index) => (natural[index] ?? 0) - width);
  // The narrow ones first, which are whole soonest.
  for (const index of missing.map((_, at) => at).sort((a, b) => (missing[a] ?? 0) - (missing[b] ?? 0))) {
    const more = Math.max(0, Math.min(missing[index] ?? 0, left));
    widths[index] = (widths[index] ?? 0) + more;
    left -= more;
  }
  return widths;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cell(value: unknown): string {
  return shortened(plain(value), widest);
}

function shortened(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function plain(value: unknown): string {
  const text =
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  // What a terminal would act on is not passed to it.
  return text.replaceAll(/\p{Cc}/gu, " ");
}
