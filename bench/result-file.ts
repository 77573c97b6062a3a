import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { FigureSummary } from "./verdict.ts";

const repository = join(import.meta.dirname, "..");
const folder = join(import.meta.dirname, "results");

/** What a row has shown. */
export interface RowResult {
  readonly row: number;
  readonly figures: readonly FigureSummary[];
  /** Why the machine was not quiet before or after the row; absent when it was. */
  readonly disturbed?: string;
}

/** What the figures depend on. No name and no path of the machine. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** Milliseconds of the fixed computation at its best: compares machines. */
  readonly spinMs: number;
}

/** The results of one commit. */
export interface ResultFile {
  readonly commit: string;
  /** When the last row was measured, ISO 8601. */
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly rows: readonly RowResult[];
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();

/** The commit that is measured; ends in `-changed` when files differ from it, so that its results are kept apart. */
export function measuredCommit(): string {
  const isChanged = git("status", "--porcelain", "--", ".", ":!bench/results") !== "";
  return git("rev-parse", "--short=12", "HEAD") + (isChanged ? "-changed" : "");
}

export function machineFacts(spinMs: number): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    spinMs: Number(spinMs.toFixed(2)),
  };
}

const pathOf = (commit: string) => join(folder, `${commit}.json`);

/** All results, oldest first. */
export function readResults(): ResultFile[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name): ResultFile => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .toSorted((one, other) => one.measuredAt.localeCompare(other.measuredAt));
}

/** Adds rows to the results of a commit; a row that is there already is replaced. Returns the path in the repository. */
export function writeResult({ rows, ...run }: ResultFile): string {
  const earlier = readResults().find(({ commit }) => commit === run.commit)?.rows ?? [];
  const kept = earlier.filter(({ row }) => rows.every((fresh) => fresh.row !== row));
  const all = [...kept, ...rows].toSorted((one, other) => one.row - other.row);
  writeFileSync(pathOf(run.commit), `${JSON.stringify({ ...run, rows: all }, roundNumbers, 2)}\n`);
  return `bench/results/${run.commit}.json`;
}

/** Four digits say all that a measurement can. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

/** The newest row that was measured while a machine of this kind was quiet, to compare with; undefined where there is none. */
export function newestQuiet(
  results: readonly ResultFile[],
  row: number,
  { processor, cores }: Pick<Machine, "processor" | "cores">,
): RowResult | undefined {
  return results
    .filter(({ commit }) => !commit.endsWith("-changed"))
    .filter(({ machine }) => machine.processor === processor && machine.cores === cores)
    .flatMap(({ rows }) => rows)
    .findLast((result) => result.row === row && result.disturbed === undefined);
}
