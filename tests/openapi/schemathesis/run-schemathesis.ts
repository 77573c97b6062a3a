import { type ExecFileOptions, execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { LocalPlatform, PlatformOptions } from "@aiplatform/local-platform";
import { withoutCredentialLimit } from "../../infra/own-platform.ts";
import { pythonWithPackages } from "../../notebooks/python-packages.ts";

const here = import.meta.dirname;
const description = join(here, "../../../docs/openapi.json");
const most = "1000000000";

/** Settings of the platform: requests with bad credentials and with none are part of the checks. */
export const settings: NonNullable<PlatformOptions["settings"]> = {
  ...withoutCredentialLimit,
  gateway: { ...withoutCredentialLimit["gateway"], ANONYMOUS_REQUESTS_PER_MINUTE: most },
};

/** What to send. */
export interface SchemathesisPlan {
  /** Of `examples`, `coverage`, `fuzzing` and `stateful`. */
  phases: readonly string[];
  /** Generated requests for each operation and phase, or scenarios in all. */
  examples: number;
  /** The same seed generates the same requests. */
  seed: number;
  /** Gives up after so long, in milliseconds. */
  timeoutMs: number;
  /** Goes on for so long, in seconds. Default: until each operation had its examples. */
  seconds?: number;
}

/** What Schemathesis found. */
export interface SchemathesisResult {
  /** One line each, with the operations. */
  failures: string[];
  /** Operations that were not tested, and what broke. */
  gaps: string[];
  /** Requests that were sent. */
  requests: number;
  /** What it printed: how to repeat what failed. */
  output: string;
}

/** Runs Schemathesis with every check against a platform, as its administrator. */
export async function runSchemathesis(platform: LocalPlatform, plan: SchemathesisPlan): Promise<SchemathesisResult> {
  const requirements = join(here, "requirements.txt");
  const { python, env } = await pythonWithPackages({ name: "schemathesis", requirements });
  const { gateway, bearer } = platform.description;
  const report = join(platform.directory, `schemathesis-${plan.phases.join("-")}.json`);
  const args = [
    ...["-m", "schemathesis.cli", "run", description, "--url", gateway, "--header", `Authorization: Bearer ${bearer}`],
    ...["--checks", "all", "--continue-on-failure", "--warnings", "off", "--no-color", "--request-timeout", "30"],
    ...["--phases", plan.phases.join(","), "--max-examples", `${plan.examples}`, "--seed", `${plan.seed}`],
    ...[
      "--generation-database",
      "none",
      "--suppress-health-check",
      "all",
      "--report",
      "json",
      "--report-json-path",
      report,
    ],
    ...(plan.seconds === undefined ? [] : ["--max-time", `${plan.seconds}`]),
  ];
  const hooks = { SCHEMATHESIS_HOOKS: "expectations", OPENAPI_DOCUMENT: description };
  // Compiled once, beside the packages and not beside our file.
  const compiled = join(env.PYTHONPATH, "compiled");
  const path = { PYTHONPATH: [env.PYTHONPATH, here].join(delimiter), PYTHONPYCACHEPREFIX: compiled };
  const surroundings = { ...process.env, ...env, ...hooks, ...path };
  // It keeps what it found where it is started.
  const options = { cwd: platform.directory, env: surroundings, timeout: plan.timeoutMs, maxBuffer: 1 << 28 };
  const output = await outputOf(python, args, options);
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`Schemathesis left no report:\n${output}`);
  });
  return { ...readReport(JSON.parse(text)), output };
}

/** Ends with an exit code of its own where something is found: that is in the report. */
function outputOf(command: string, args: string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, options, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}

interface Report {
  operations: { selected: number; tested: number; errored: number; skipped: number };
  test_cases: { generated: number };
  failures: { code: string; title: string; operations: unknown[] }[];
  errors: unknown[];
}

function readReport({ operations, test_cases, failures, errors }: Report): Omit<SchemathesisResult, "output"> {
  const { selected, tested } = operations;
  return {
    failures: failures.map(({ code, title, operations: where }) => `${code} ${title}: ${JSON.stringify(where)}`),
    gaps: [
      ...(tested === selected ? [] : [`${selected - tested} operations were not tested`]),
      ...errors.map((error) => JSON.stringify(error)),
    ],
    requests: test_cases.generated,
  };
}
