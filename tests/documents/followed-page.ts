import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One block of commands, and what the page shows as their output. */
export interface Step {
  commands: string;
  shown: string | undefined;
}

/** The blocks of a page, or of a section of it, in order. */
export function stepsOf(text: string): Step[] {
  const block = /```sh\n(?<commands>[\s\S]*?)```(?:\n\n```text\n(?<shown>[\s\S]*?)```)?/g;
  return [...text.matchAll(block)].map(({ groups = {} }) => ({
    commands: groups["commands"] ?? "",
    shown: groups["shown"],
  }));
}

/** How it went. */
export interface Followed {
  /** Exit code of the shell; null when it was stopped. */
  code: number | null;
  errors: string;
  /** What each step printed; a step that was not reached printed nothing. */
  outputs: string[];
}

/** Where to follow a page, and for how long. */
export interface Following {
  cwd: string;
  /** Longest it may take. */
  seconds: number;
  /** Stops it earlier. */
  signal?: AbortSignal;
  /** What the shell finds in its environment. Default: PATH and HOME alone, as a reader has nothing else that matters. */
  env?: NodeJS.ProcessEnv;
}

/** Types the steps into one shell, as a reader would, and stops at the first failure. */
export async function follow(steps: Step[], { cwd, seconds, signal, env }: Following): Promise<Followed> {
  const directory = await mkdtemp(join(tmpdir(), "followed-page-"));
  const output = (index: number) => join(directory, `${index}.out`);
  const script = steps.map(({ commands }, index) => `exec > '${output(index)}'\n${commands}`).join("\n");
  const { PATH, HOME } = process.env;
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env: env ?? { PATH, HOME },
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: Buffer[] = [];
  shell.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const stopAll = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    } catch {
      // It left nothing behind.
    }
  };
  const hurry = AbortSignal.any([AbortSignal.timeout(seconds * 1_000), ...(signal ? [signal] : [])]);
  hurry.addEventListener("abort", stopAll, { once: true });
  try {
    const [code] = await once(shell, "exit");
    if (code !== 0) stopAll();
    const outputs = await Promise.all(steps.map((_, index) => readFile(output(index), "utf8").catch(() => "")));
    return { code, errors: Buffer.concat(said).toString(), outputs };
  } finally {
    hurry.removeEventListener("abort", stopAll);
    await rm(directory, { recursive: true, force: true });
  }
}

/** What is shown, as a pattern: `…` stands for anything on its line. */
export function patternOf(shown: string): RegExp {
  const literals = shown.split("…").map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${literals.join(".*")}$`);
}
