import type { RunningProcess } from "./platform.ts";
import { runUntilSignal } from "./run-until-signal.ts";

/** What settings are read from. */
export type ServiceEnvironment = Readonly<Record<string, string | undefined>>;

export interface CheckProcess {
  /** What follows `--check`. */
  args: string[];
  env: ServiceEnvironment;
  /** Resolves when the text has been passed on. */
  stdout: (text: string) => Promise<void>;
  stderr: (text: string) => Promise<void>;
  /** Whether standard output goes to a terminal. */
  isTerminal: boolean;
}

export interface ServiceProgram {
  start: (env: ServiceEnvironment) => Promise<RunningProcess>;
  /** Examines what the settings name, without starting anything. Returns the exit status. */
  check: (process: CheckProcess) => Promise<number>;
}

/** Runs a service until a signal stops it, or, with `--check` as its first argument, its diagnostics alone. */
export async function runServiceProgram({ start, check }: ServiceProgram): Promise<void> {
  const [first, ...args] = process.argv.slice(2);
  if (first !== "--check") return runUntilSignal(() => start(process.env));
  const status = await check({
    args,
    env: process.env,
    stdout: (text) => written(process.stdout, text),
    stderr: (text) => written(process.stderr, text),
    isTerminal: process.stdout.isTTY === true,
  });
  // A check that ran out of time may still hold a connection open.
  process.exit(status);
}

function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
