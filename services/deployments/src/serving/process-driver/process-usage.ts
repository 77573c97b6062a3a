import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What a process has taken. */
export interface ProcessUsage {
  /** Memory that it has in use, MiB. */
  readonly memoryMb: number;
  /** Processor time since its start, ms; undefined where the system does not tell. */
  readonly processorMs?: number;
}

const run = promisify(execFile);
const mebibyte = 1_048_576;
const residentMemory = /^VmRSS:\s+(\d+) kB/m;
/** Of /proc: a hundredth of a second on every Linux. */
const msPerTick = 10;
/** Places of the times in user and system mode, counted behind the name, which may hold anything. */
const [userTime, systemTime] = [11, 12];

/** What an instance has taken: the process, or the one that its launcher has started. Undefined where it is gone. */
export async function usageOf(pid: number): Promise<ProcessUsage | undefined> {
  try {
    if (process.platform === "linux") return await readUsage((await childOf(pid)) ?? pid);
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
    return { memoryMb: (Number(stdout.trim()) * 1_024) / mebibyte };
  } catch {
    return undefined;
  }
}

async function childOf(pid: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children === "" ? undefined : Number.parseInt(children, 10);
}

async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  const [status, stat] = await Promise.all(["status", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")));
  const kilobytes = residentMemory.exec(status ?? "")?.[1];
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  // A process that is ending has no memory.
  if (kilobytes === undefined) return undefined;
  const ticks = Number(fields[userTime]) + Number(fields[systemTime]);
  return { memoryMb: (Number(kilobytes) * 1_024) / mebibyte, processorMs: ticks * msPerTick };
}
