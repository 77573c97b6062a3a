import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const repository = join(import.meta.dirname, "../..");

export interface NpmStartOptions {
  /** Where data, secrets and logs go. */
  readonly directory: string;
  /** Further arguments, such as `--no-trainer`. */
  readonly args?: readonly string[];
  /** The clone that is started. Default: this one. */
  readonly clone?: string;
}

/** The platform as `npm start` runs it. Stops when disposed. */
export interface StartedPlatform extends AsyncDisposable {
  /** Seconds from the start of the command until it printed the addresses. */
  readonly seconds: number;
  /** Of the command that `npm start` stands for; all others come from it. */
  readonly pid: number;
  readonly description: { readonly gateway: string; readonly api_key: string; readonly organisation_id: string };
}

/** Runs what `npm start` runs, on any ports, until it prints its addresses. @throws Error with what it said when it ends before */
export async function npmStart({
  directory,
  args = [],
  clone = repository,
}: NpmStartOptions): Promise<StartedPlatform> {
  const begin = performance.now();
  const command = [join(clone, "scripts", "start.mjs"), "--json", "--any-ports", "--directory", directory, ...args];
  const child = spawn(process.execPath, command, { cwd: clone, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    const seconds = (performance.now() - begin) / 1_000;
    const stop = () => stopped(child, ended);
    return { seconds, pid: child.pid ?? 0, description: JSON.parse(line), [Symbol.asyncDispose]: stop };
  }
  await ended;
  throw new Error(`npm start ended before it was ready:\n${said.join("\n")}`);
}

async function stopped(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGINT");
  await ended;
}
