import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CheckProcess } from "@aiplatform/service-host";
import type { Environment } from "./check.ts";
import { timeoutOf, timeoutProblem } from "./check-service.ts";
import type { Examination } from "./diagnose.ts";
import { failed } from "./finding.ts";
import { merged } from "./merge.ts";
import { isHealthy, reportText } from "./report.ts";

const repository = resolve(import.meta.dirname, "../../..");
/** What a service needs besides the time of its checks: Node has to start, and may share the machine. */
const startupMs = 60_000;

const help = `doctor                     looks at the platform that npm start runs here
doctor --service identity  looks at what this environment says to one service; SERVICE says so as well
doctor --directory D       the directory of npm start (default .local)
doctor --json              for programs
doctor --timeout 15        seconds that each check may take

Runs the --check of every service. Reads and changes nothing, but for an empty folder in ARTIFACTS_DIRECTORY that is removed at once.
Exit status: 0 all is well (or only warnings), 1 something failed or nothing runs, 2 the command line is wrong.
`;

/** Runs the diagnostics of every service, and prints one table. Returns the exit status. */
export async function doctor({ args, env, stdout, stderr, isTerminal }: CheckProcess): Promise<number> {
  const options = optionsOf(args);
  if (typeof options === "string") {
    await stderr(`${options}\n${help}`);
    return 2;
  }
  if (options.help) {
    await stdout(help);
    return 0;
  }
  const wanted = options.service || env["SERVICE"] || "";
  const idle = wanted ? undefined : idleReason(options.directory);
  if (idle !== undefined) {
    await stderr(`${idle}\n`);
    return 1;
  }
  const processes = wanted ? serviceProcess(wanted, env) : processesOf(options.directory, env);
  if (typeof processes === "string") {
    await stderr(`${processes}\n`);
    return 2;
  }
  const found = await Promise.all(processes.map((process) => examined(process, options.timeoutMs)));
  const examinations = merged(found.flat());
  const healthy = isHealthy(examinations);
  const coloured = isTerminal && !env["NO_COLOR"];
  await stdout(
    options.json ? `${JSON.stringify({ healthy, examinations })}\n` : reportText(examinations, { coloured }),
  );
  return healthy ? 0 : 1;
}

interface Options {
  service?: string | undefined;
  directory: string;
  json: boolean;
  help: boolean;
  timeoutMs: number;
}

/** The options, or why they are none. */
function optionsOf(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        service: { type: "string" },
        directory: { type: "string", default: ".local" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        timeout: { type: "string", default: "15" },
      },
    });
    const timeoutMs = timeoutOf(values.timeout);
    return timeoutMs === undefined ? timeoutProblem : { ...values, timeoutMs };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface ServiceProcess {
  /** Name of the process: that of its service, with a number behind it where there are several. */
  name: string;
  main: string;
  env: Environment;
}

function serviceProcess(name: string, env: Environment): ServiceProcess[] | string {
  const main = mainOf(name);
  return main === undefined ? `${name} is no service` : [{ name, main, env }];
}

/** Why no platform of this directory can be examined. What a platform leaves that was killed is no sign of one. */
function idleReason(directory: string): string | undefined {
  const { pid } = readJson<{ pid?: number }>(join(directory, "running.json")) ?? {};
  const remedy = "npm start starts it; --service looks at this environment instead";
  if (pid === undefined || !isAlive(pid)) return `The platform of ${directory} is not running: ${remedy}`;
  if (existsSync(join(directory, settingsName))) return undefined;
  return `The platform of ${directory} (process ${pid}) is still starting: try again when its address is shown`;
}

const settingsName = "settings.json";

/** The processes of the platform that runs in a directory, or why they are unknown. */
function processesOf(directory: string, env: Environment): ServiceProcess[] | string {
  const path = join(directory, settingsName);
  const settings = readJson<Record<string, Environment>>(path);
  if (!settings) return `${path} cannot be read: stop the platform and start it again`;
  return Object.entries(settings).flatMap(([name, own]) => {
    const main = mainOf(name);
    return main === undefined ? [] : [{ name, main, env: { ...env, ...own } }];
  });
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user: it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The program of the service that a process is of, such as `training` for `training-2`. Undefined: none of ours. */
function mainOf(name: string): string | undefined {
  const service = /^([a-z]+)(-\d+)?$/.exec(name)?.[1];
  const main = join(repository, "services", service ?? "-", "src", "main.ts");
  return existsSync(main) ? main : undefined;
}

async function examined({ name, main, env }: ServiceProcess, timeoutMs: number): Promise<Examination[]> {
  const args = ["--disable-warning=ExperimentalWarning", main, "--check", "--json"];
  args.push("--timeout", String(timeoutMs / 1_000));
  const { output, problem } = await run(args, env, timeoutMs + startupMs);
  try {
    const examinations: Examination[] = JSON.parse(output);
    return examinations.map((examination) => ({ ...examination, of: [name] }));
  } catch {
    const finding = failed(
      `the diagnostics of ${name} ended early: ${problem}`,
      `run it by itself: node ${main} --check`,
    );
    return [{ check: "settings", of: [name], findings: [finding] }];
  }
}

function run(args: string[], env: Environment, timeout: number): Promise<{ output: string; problem: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout, maxBuffer: 2 ** 24 }, (error, output, stderr) => {
      resolve({ output, problem: stderr.trim().split("\n").at(-1) || error?.message || "no output" });
    });
  });
}
