// Everything that has to hold before a change is taken in. `--with-slow` adds the slow suites, `--slow` runs them alone. With more
// arguments: only the tests, with those arguments for vitest.
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Command, capture, root, run, runMain, toolEnvironment } from "./install.mjs";
import { leftProcesses, runVariable } from "./left-processes.ts";
import { costsVariable, costTable, type FileCost, readCosts } from "./test-costs.ts";

interface Failure {
  readonly name: string;
  readonly text: string;
}

interface Outcome {
  readonly passed: number;
  readonly failures: Failure[];
  readonly costs?: readonly FileCost[];
  /** What was not shown while it ran. */
  readonly output?: string;
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface SuiteResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
}

const script = (name: string, ...args: string[]): Command => [process.execPath, [join(root, "scripts", name), ...args]];

/** Files that have not changed since are not looked at again. */
const typeCheck = (project: string): Command => {
  const kept = join(root, "node_modules", ".cache", "types", `${project.replaceAll("/", "-")}.json`);
  return ["tsc", ["--noEmit", "--project", project, "--incremental", "--tsBuildInfoFile", kept]];
};

/** Name → command that exits with 0 when all is well. */
const checks: Readonly<Record<string, Command>> = {
  "the lock file installs anywhere": script("check-lock.ts"),
  "what is generated is up to date": script("generate.ts", "--check"),
  "the contract passes buf lint": ["buf", ["lint"]],
  "the contract is formatted": ["buf", ["format", "proto", "--diff", "--exit-code"]],
  "types check": typeCheck("."),
  "types of the console check": typeCheck("apps/console"),
  "sources pass biome": ["biome", ["check", "--error-on-warnings", "."]],
  "imports go down only": script("check-imports.ts"),
  "dependencies have reasons": script("check-dependencies.ts"),
  "images and actions are pinned": script("check-pins.ts"),
  "sentences use plain words": script("check-words.ts"),
};

/** As many at a time as there are cores. */
async function runChecks(): Promise<Outcome> {
  const failures: Failure[] = [];
  let passed = 0;
  const waiting = Object.entries(checks).values();
  const lane = async () => {
    for (const [name, command] of waiting) {
      const started = Date.now();
      const { code, output } = await capture(command, { env: toolEnvironment() });
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)\n`);
      if (code === 0) passed += 1;
      else failures.push({ name, text: output.trim() });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return { passed, failures };
}

/** A suite that did not even load has no tests, and counts as one failure. */
function suiteFailures({ name, message, assertionResults }: SuiteResult): Failure[] {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0) return [{ name: file, text: message }];
  return failed.map(({ fullName, failureMessages }) => ({
    name: `${file}: ${fullName}`,
    text: failureMessages.join("\n"),
  }));
}

/** Suites that run one after the other in a vitest of their own. Lanes run at the same time: one worker beside several. */
type Lanes = readonly (readonly string[])[];

/** Flag → the suites that it runs. */
const parts: Readonly<Record<string, { readonly checks: boolean; readonly lanes: Lanes }>> = {
  "": { checks: true, lanes: [["unit", "integration"], ["platform"]] },
  "--slow": { checks: false, lanes: [["slow"], ["slow-platform"]] },
  "--with-slow": {
    checks: true,
    lanes: [
      ["unit", "integration", "slow"],
      ["platform", "slow-platform"],
    ],
  },
};

/** Names this run to all processes that it starts. */
const runName = randomUUID();

/** What vitest, called with these arguments, found. What it prints is shown while it runs, or at its end. */
async function runVitest(args: readonly string[], shown: "now" | "later"): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "test-results-"));
  const results = join(folder, "results.json");
  const costs = join(folder, "costs.jsonl");
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const command: Command = [process.execPath, [vitest, "run", ...reporters, ...args]];
    const options = { env: { ...toolEnvironment(), [runVariable]: runName, [costsVariable]: costs } };
    const { code, output } =
      shown === "now" ? { code: await run(command, options), output: "" } : await capture(command, options);
    const { numPassedTests, testResults }: { numPassedTests: number; testResults: SuiteResult[] } = JSON.parse(
      readFileSync(results, "utf8"),
    );
    const failures = testResults.filter(({ status }) => status === "failed").flatMap(suiteFailures);
    if (code !== 0 && failures.length === 0) failures.push({ name: "vitest", text: `ended with exit code ${code}` });
    return { passed: numPassedTests, failures, costs: readCosts(costs), output };
  } catch (error) {
    return { passed: 0, failures: [{ name: "vitest", text: `gave no results: ${String(error)}` }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const projects = (names: readonly string[]) => names.flatMap((name) => ["--project", name]);

async function runLanes(lanes: Lanes): Promise<Outcome[]> {
  const outcomes = await Promise.all(
    lanes.map((lane, index) => runVitest(projects(lane), index === 0 ? "now" : "later")),
  );
  for (const { output = "" } of outcomes) process.stdout.write(output);
  return outcomes;
}

/** The tests that the arguments name. */
const runSome = (lanes: Lanes, args: readonly string[]) =>
  runVitest(args.some((arg) => arg.startsWith("--project")) ? args : [...projects(lanes.flat()), ...args], "now");

async function runPart(args: readonly string[]): Promise<Outcome[]> {
  const flag = args.find((arg) => arg in parts) ?? "";
  const { checks: hasChecks = true, lanes = [] } = parts[flag] ?? {};
  const others = args.filter((arg) => arg !== flag);
  if (others.length > 0) return [await runSome(lanes, others)];
  return [...(hasChecks ? [await runChecks()] : []), ...(await runLanes(lanes))];
}

async function findLeftProcesses(): Promise<Outcome> {
  const left = await leftProcesses(runName);
  return { passed: 0, failures: left.map((text) => ({ name: "a process outlives the tests", text })) };
}

runMain(async () => {
  const outcomes = [...(await runPart(process.argv.slice(2))), await findLeftProcesses()];
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  for (const { name, text } of failures) process.stdout.write(`\nFAILED  ${name}\n${text.replace(/^/gm, "    ")}\n`);
  process.stdout.write(`\n${costTable(outcomes.flatMap(({ costs = [] }) => costs))}\n`);
  const minutes = (performance.now() / 60_000).toFixed(1);
  process.stdout.write(`It took ${minutes} min.\n\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
});
