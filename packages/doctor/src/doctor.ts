import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { examine } from "./examine.ts";
import { isHealthy, reportText } from "./report.ts";
import { type Environment, kindOf, type ServiceEnvironment } from "./services.ts";

/** What the program needs of its process. */
export interface DoctorProcess {
  args: string[];
  env: Environment;
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Whether the output goes to a terminal. */
  isTerminal: boolean;
}

const help = `doctor                     looks at the platform that npm start runs here
doctor --service identity  looks at what this environment says to one service; SERVICE says so as well
doctor --directory D       the directory of npm start (default .local)
doctor --json              for programs
doctor --timeout 15        seconds that each look may take

Reads and changes nothing, but for an empty folder in ARTIFACTS_DIRECTORY that is removed at once.
Exit status: 0 all is well (or only warnings), 1 something failed, 2 the command line is wrong.
`;

/** Looks at everything, and writes what is so and what helps. Answers the exit status. */
export async function doctor({ args, env, stdout, stderr, isTerminal }: DoctorProcess): Promise<number> {
  const options = optionsOf(args);
  if (typeof options === "string") {
    stderr(`${options}\n${help}`);
    return 2;
  }
  if (options.help) {
    stdout(help);
    return 0;
  }
  const environments = environmentsOf(options, env);
  if (typeof environments === "string") {
    stderr(`${environments}\n`);
    return 2;
  }
  const examinations = await examine(environments, { timeoutMs: options.timeoutMs });
  const healthy = isHealthy(examinations);
  const coloured = isTerminal && !env["NO_COLOR"];
  stdout(options.json ? `${JSON.stringify({ healthy, examinations })}\n` : reportText(examinations, { coloured }));
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
    const timeoutMs = Number(values.timeout) * 1_000;
    return timeoutMs > 0 ? { ...values, timeoutMs } : "--timeout is a number of seconds above 0";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The settings to look at, or why there are none. */
function environmentsOf({ service = "", directory }: Options, env: Environment): ServiceEnvironment[] | string {
  const name = service || env["SERVICE"] || "";
  if (name) return kindOf(name) ? [{ name, env }] : `${name} is no service`;
  const path = join(directory, "settings.json");
  try {
    const settings: Record<string, Environment> = JSON.parse(readFileSync(path, "utf8"));
    const ours = Object.entries(settings).filter(([process]) => kindOf(process));
    return ours.map(([process, settingsOfProcess]) => ({ name: process, env: settingsOfProcess }));
  } catch {
    return `there is no ${path}: npm start leaves it while it runs; --service looks at this environment instead`;
  }
}
