import { parseArgs } from "node:util";
import type { CheckProcess } from "@aiplatform/service-host";
import type { Diagnostics } from "./check.ts";
import { diagnose } from "./diagnose.ts";
import { isHealthy, reportText } from "./report.ts";

const usage = `main.js --check [--json] [--timeout SECONDS]

Looks at what this environment says to the service, and changes nothing. Exit status: 0 all is well (or only warnings),
1 something failed, 2 the command line is wrong.
`;

/** The `--check` of a service: prints a row for each finding, or JSON, and returns the exit status. */
export function checkService<Config>(diagnostics: Diagnostics<Config>) {
  return async ({ args, env, stdout, stderr, isTerminal }: CheckProcess): Promise<number> => {
    const options = optionsOf(args);
    if (typeof options === "string") {
      await stderr(`${options}\n${usage}`);
      return 2;
    }
    const examinations = await diagnose(diagnostics, env, { timeoutMs: options.timeoutMs });
    const coloured = isTerminal && !env["NO_COLOR"];
    await stdout(options.json ? `${JSON.stringify(examinations)}\n` : reportText(examinations, { coloured }));
    return isHealthy(examinations) ? 0 : 1;
  };
}

/** The options, or why they are none. */
function optionsOf(args: string[]): { json: boolean; timeoutMs: number } | string {
  try {
    const { values } = parseArgs({
      args,
      options: { json: { type: "boolean", default: false }, timeout: { type: "string", default: "15" } },
    });
    const timeoutMs = timeoutOf(values.timeout);
    return timeoutMs === undefined ? timeoutProblem : { json: values.json, timeoutMs };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const timeoutProblem = "--timeout is a number of seconds above 0";

/** In ms; undefined when it is none. */
export function timeoutOf(seconds: string): number | undefined {
  const timeoutMs = Number(seconds) * 1_000;
  return timeoutMs > 0 ? timeoutMs : undefined;
}
