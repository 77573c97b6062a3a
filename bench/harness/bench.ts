import { parseArgs } from "node:util";
import { digitsOf, type Figure, median, ratiosOf, spread } from "./figure.ts";

/** How much is measured. */
export interface Effort {
  /** Rounds of each variant, in turns. */
  readonly rounds: number;
  /** Share of the operations of a whole measurement; below 1 the figures say little. */
  readonly share: number;
}

export const wholeEffort: Effort = { rounds: 5, share: 1 };
/** Shows that a bench runs. */
export const quickEffort: Effort = { rounds: 1, share: 0.05 };

/** Every bench has this shape: alone it prints its figures, and `npm run bench` collects those of many. */
export interface Bench {
  readonly title: string;
  /** @param parts names of what to measure, where a bench has parts; all of them when empty */
  measure(effort: Effort, parts: readonly string[]): Promise<readonly Figure[]>;
}

/** What a bench process tells the one that started it. */
export interface BenchReport {
  readonly figures: readonly Figure[];
}

/**
 * The main program of a bench: measures, and prints the figures. `--rounds 9` changes how often, `--quick` shows only that it
 * runs; other arguments name parts.
 */
export async function runBench(bench: Bench): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: "string" }, quick: { type: "boolean", default: false } },
  });
  const effort = values.quick ? quickEffort : wholeEffort;
  const rounds = values.rounds === undefined ? effort.rounds : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError("--rounds must be a whole number from 1");
  const figures = await bench.measure({ ...effort, rounds }, positionals);
  const report: BenchReport = { figures };
  if (process.connected) {
    process.send?.(report);
    // What a bench has left open must not keep it.
    process.disconnect?.();
  } else {
    const title = `${bench.title}; rounds in turns: ${rounds}; median [min-max]`;
    printTable(title, figureHead, figures.map(figureRow));
  }
}

const figureHead = ["figure", "", "floor", "", "ratio"];

function figureRow(figure: Figure): string[] {
  const { name, unit, values, floor } = figure;
  const text = (all: readonly number[]) => `${spread(all, digitsOf(median(all)))} ${unit}`.trim();
  const ratios = ratiosOf(figure);
  return [name, text(values), floor?.name ?? "", floor ? text(floor.values) : "", ratios ? spread(ratios) : ""];
}

/** A table in columns of text. */
export function printTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  process.stdout.write(`\n${title}\n${line(header)}\n${widths.map((width) => "-".repeat(width)).join("  ")}\n`);
  for (const row of rows) process.stdout.write(`${line(row)}\n`);
}
