/** How answers are written. */
export const outputFormats = ["json", "jsonl", "table"] as const;

/** One of them. */
export type OutputFormat = (typeof outputFormats)[number];

/** Longest text of a cell. */
const widest = 60;

/** An answer as text that ends with a line break. */
export function written(value: unknown, format: OutputFormat): string {
  if (format === "table") return table(Array.isArray(value) ? value : [value]);
  if (format === "jsonl" && Array.isArray(value)) return value.map((each) => `${JSON.stringify(each)}\n`).join("");
  return format === "jsonl" ? `${JSON.stringify(value)}\n` : `${JSON.stringify(value, undefined, 2)}\n`;
}

function table(rows: readonly unknown[]): string {
  const records = rows.map((row) => (isRecord(row) ? row : { value: row }));
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((column) =>
    records.some((record) => record[column] !== null && record[column] !== undefined),
  );
  const lines = [columns, ...records.map((record) => columns.map((column) => cell(record[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  // What a terminal would act on is not passed to it.
  const plain = text.replaceAll(/\p{Cc}/gu, " ");
  return plain.length > widest ? `${plain.slice(0, widest - 1)}…` : plain;
}
