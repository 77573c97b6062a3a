import { fork } from "node:child_process";
import { join } from "node:path";
import type { BenchProgram, Row } from "./goals.ts";
import type { BenchReport } from "./harness/bench.ts";
import type { Figure } from "./harness/figure.ts";
import { disturbance, lookAtMachine } from "./harness/quietness.ts";
import type { RowResult } from "./result-file.ts";
import { summaryOf } from "./verdict.ts";

const repository = join(import.meta.dirname, "..");

export interface RowOptions {
  readonly quick: boolean;
  readonly rounds: string | undefined;
  readonly calibratedMs: number;
  /** Why the machine was not quiet before the first row. */
  readonly noise?: string;
}

/** The figures of one program, and what disturbed it. */
interface Outcome {
  readonly figures: readonly Figure[];
  readonly disturbed: string | undefined;
}

/** Row → what it has shown, or why it was not measured. Programs run one after the other; one that several rows need runs once. */
export async function measureRows(
  chosen: readonly Row[],
  options: RowOptions,
): Promise<Map<number, RowResult | string>> {
  const outcomes = new Map<string, Outcome | string>();
  for (const [module, parts] of programsOf(chosen)) {
    process.stdout.write(`\n== ${[module, ...parts].join(" ")}\n`);
    outcomes.set(module, await measured(module, parts, options));
  }
  return new Map(chosen.map((row) => [row.row, resultOf(row, outcomes)]));
}

function programsOf(chosen: readonly Row[]): Map<string, Set<string>> {
  const programs = new Map<string, Set<string>>();
  for (const { benches } of chosen) {
    for (const { module, part } of typeof benches === "string" ? [] : benches) {
      const parts = programs.get(module) ?? new Set();
      programs.set(module, part === undefined ? parts : parts.add(part));
    }
  }
  return programs;
}

async function measured(module: string, parts: Iterable<string>, options: RowOptions): Promise<Outcome | string> {
  const { calibratedMs, noise } = options;
  const before = noise ?? disturbance(await lookAtMachine(), { calibratedMs });
  try {
    const { figures } = await runProgram({ module }, [...parts, ...flagsOf(options)]);
    return { figures, disturbed: before ?? disturbance(await lookAtMachine(), { calibratedMs }) };
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : error}`;
  }
}

function flagsOf({ quick, rounds }: RowOptions): string[] {
  return [...(quick ? ["--quick"] : []), ...(rounds === undefined ? [] : ["--rounds", rounds])];
}

/** A process of its own for each bench: what one leaves in memory or in its settings does not meet the next. */
function runProgram({ module }: BenchProgram, args: readonly string[]): Promise<BenchReport> {
  const { promise, resolve, reject } = Promise.withResolvers<BenchReport>();
  const child = fork(join(repository, module), args, { cwd: repository });
  let report: BenchReport | undefined;
  child.on("message", (message) => {
    // Only our own benches run here, and this is all that they send.
    report = message as BenchReport;
  });
  child.once("error", reject);
  child.once("exit", (code, signal) => {
    if (report && code === 0) resolve(report);
    else reject(new Error(`${module} ended with ${signal ?? `exit code ${code}`}`));
  });
  return promise;
}

function resultOf({ row, benches, goals }: Row, outcomes: ReadonlyMap<string, Outcome | string>): RowResult | string {
  if (typeof benches === "string") return benches;
  const found = benches.map(({ module }) => outcomes.get(module) ?? "it did not run");
  const failure = found.find((outcome) => typeof outcome === "string");
  if (failure !== undefined) return failure;
  const all = found.filter((outcome) => typeof outcome !== "string");
  const disturbed = all.find((outcome) => outcome.disturbed !== undefined)?.disturbed;
  const isNamed = ({ id }: Figure) => goals.some(({ figure }) => figure === id);
  // A program that several rows share gives each the figures of its goals.
  const isShared = benches.some(({ part }) => part !== undefined);
  const figures = all.flatMap((outcome) => outcome.figures).filter((figure) => isNamed(figure) || !isShared);
  return { row, figures: figures.map(summaryOf), ...(disturbed !== undefined && { disturbed }) };
}
