import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
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

/** Seconds of processor time of a process so far; NaN where the system does not tell. */
export async function cpuSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Median with min and max, such as `1.23 [1.10-1.40]`. */
export function spread(values: readonly number[], digits = 2): string {
  const sorted = [...values].sort((a, b) => a - b);
  const text = (value: number | undefined) => value?.toFixed(digits) ?? "-";
  return `${text(sorted[Math.floor(sorted.length / 2)])} [${text(sorted[0])}-${text(sorted.at(-1))}]`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
