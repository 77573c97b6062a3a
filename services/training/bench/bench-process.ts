import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A server that a bench started. */
export interface BenchProcess {
  child: ChildProcess;
  /** Its first line. */
  line: string;
}

/** Starts a module as a process of its own and resolves with the first line that it prints. */
export async function startProcess(module: string, args: string[], env: Record<string, string>): Promise<BenchProcess> {
  const path = new URL(module, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error(`${module} ${args.join(" ")} ended before it was ready`);
}

/** Ends it and waits for that. */
export async function stopProcess({ child }: BenchProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
