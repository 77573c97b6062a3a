// What the files of a run of the tests cost, as each of them tells it.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./install.mjs";

/** Variable that names the file to which each file of tests adds a line about itself. */
export const costsVariable = "TEST_COSTS";

const shownFiles = 10;

export interface FileCost {
  readonly file: string;
  /** From its loading to the end of its last hook. */
  readonly seconds: number;
  /** Processor time of its worker and of every process below it, seconds. Absent where the system does not tell. */
  readonly processor?: number;
}

/** Empty where no file came to its end. */
export function readCosts(path: string): FileCost[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line): FileCost => JSON.parse(line));
}

/** What a file takes from the others: processors are what tests have too few of. */
const costOf = ({ seconds, processor }: FileCost) => processor ?? seconds;
const rounded = (seconds: number) => seconds.toFixed(1).padStart(7);

/** A table of the files that cost most. */
export function costTable(costs: readonly FileCost[]): string {
  const shown = costs.toSorted((one, other) => costOf(other) - costOf(one)).slice(0, shownFiles);
  const rows = shown.map(
    ({ file, seconds, processor }) =>
      `${processor === undefined ? "      -" : rounded(processor)} ${rounded(seconds)}  ${relative(root, file)}`,
  );
  const total = costs.reduce((sum, each) => sum + costOf(each), 0);
  return [
    `${costs.length} files of tests took ${total.toFixed(0)} s of processors; most took:`,
    "  proc s  time s  file",
    ...rows,
  ].join("\n");
}
