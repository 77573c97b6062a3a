// Everything that has to hold before a change is taken in. With arguments: only the tests, with those arguments for vitest.
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Command, capture, root, run, runMain, toolEnvironment } from "./install.mjs";
import { leftProcesses, runVariable } from "./left-processes.ts";

interface Failure {
  readonly name: string;
  readonly text: string;
}

interface Outcome {
  readonly passed: number;
  readonly failures: Failure[];
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

/** Name → command that exits with 0 when all is well. */
const checks: Readonly<Record<string, Command>> = {
  "the lock file installs anywhere": script("check-lock.ts"),
  "what is generated is up to date": script("generate.ts", "--check"),
  "the contract passes buf lint": ["buf", ["lint"]],
  "the contract is formatted": ["buf", ["format", "proto", "--diff", "--exit-code"]],
  "types check": ["tsc", ["--noEmit", "--project", "."]],
  "types of the console check": ["tsc", ["--noEmit", "--project", "apps/console"]],
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

/** The suites of `npm test`. Lanes run at the same time, each in a vitest of its own: one worker beside several. */
const lanes: readonly (readonly string[])[] = [["unit", "integration"], ["platform"]];

/** Names this run to all processes that it starts. */
const runName = randomUUID();

/** What vitest, called with these arguments, found. What it prints is shown while it runs, or at its end. */
async function runVitest(args: readonly string[], shown: "now" | "later"): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "test-results-"));
  const results = join(folder, "results.json");
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const command: Command = [process.execPath, [vitest, "run", ...reporters, ...args]];
    const options = { env: { ...toolEnvironment(), [runVariable]: runName } };
    const { code, output } =
      shown === "now" ? { code: await run(command, options), output: "" } : await capture(command, options);
    const { numPassedTests, testResults }: { numPassedTests: number; testResults: SuiteResult[] } = JSON.parse(
      readFileSync(results, "utf8"),
    );
    const failures = testResults.filter(({ status }) => status === "failed").flatMap(suiteFailures);
    if (code !== 0 && failures.length === 0) failures.push({ name: "vitest", text: `ended with exit code ${code}` });
    return { passed: numPassedTests, failures, output };
  } catch (error) {
    return { passed: 0, failures: [{ name: "vitest", text: `gave no results: ${String(error)}` }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const projects = (names: readonly string[]) => names.flatMap((name) => ["--project", name]);

async function runLanes(): Promise<Outcome[]> {
  const outcomes = await Promise.all(
    lanes.map((lane, index) => runVitest(projects(lane), index === 0 ? "now" : "later")),
  );
  for (const { output = "" } of outcomes) process.stdout.write(output);
  return outcomes;
}

/** The tests that the arguments name. */
const runSome = (args: readonly string[]) =>
  runVitest(args.some((arg) => arg.startsWith("--project")) ? args : [...projects(lanes.flat()), ...args], "now");

async function findLeftProcesses(): Promise<Outcome> {
  const left = await leftProcesses(runName);
  return { passed: 0, failures: left.map((text) => ({ name: "a process outlives the tests", text })) };
}

runMain(async () => {
  const args = process.argv.slice(2);
  const parts = args.length > 0 ? [await runSome(args)] : [await runChecks(), ...(await runLanes())];
  parts.push(await findLeftProcesses());
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  const failures = parts.flatMap((part) => part.failures);
  for (const { name, text } of failures) process.stdout.write(`\nFAILED  ${name}\n${text.replace(/^/gm, "    ")}\n`);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
});
