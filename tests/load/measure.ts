import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";

/** How much is measured. */
export interface Effort {
  /** Rounds of each variant, in turns. */
  rounds: number;
  /** Share of the operations of a whole measurement; below 1 the figures say little. */
  share: number;
}

export const wholeEffort: Effort = { rounds: 5, share: 1 };
/** Shows that the benches run. */
export const quickEffort: Effort = { rounds: 1, share: 0.05 };

/** What one round of one variant showed. */
export interface Round {
  /** Milliseconds each operation took. */
  latencies: number[];
  /** Seconds from the first operation to the last. */
  seconds: number;
}

/** Runs `count` operations, `concurrency` of them at once, and times each. */
export async function round(
  count: number,
  concurrency: number,
  operation: (index: number) => Promise<unknown>,
): Promise<Round> {
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const before = performance.now();
      await operation(index);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { latencies, seconds: (performance.now() - started) / 1_000 };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Median with the least and the greatest of the rounds, as `1.23 [1.10-1.40]`. */
export function spread(values: readonly number[], digits = 2): string {
  const fixed = (value: number) => value.toFixed(digits);
  return `${fixed(percentile(values, 0.5))} [${fixed(Math.min(...values))}-${fixed(Math.max(...values))}]`;
}

/** Runs every variant once per round, in turns, so that all of them meet the same weather. */
export async function interleaved<Name extends string>(
  rounds: number,
  variants: Record<Name, () => Promise<Round>>,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>;
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const name of names) results[name].push(await variants[name]());
  }
  return results;
}

export function printTable(title: string, header: string[], rows: string[][]): void {
  const widths = header.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  process.stdout.write(`\n${title}\n${line(header)}\n${widths.map((width) => "-".repeat(width)).join("  ")}\n`);
  for (const row of rows) process.stdout.write(`${line(row)}\n`);
}

/** Seconds of processor time of a process so far, in steps of 10 ms. @throws where the system has no `/proc` */
export async function cpuSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
