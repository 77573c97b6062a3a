import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** One process, as `/proc` tells. */
export interface SeenProcess {
  readonly pid: number;
  readonly name: string;
}

/** Clock ticks a second on every Linux of today (`USER_HZ`). */
const ticksPerSecond = 100;

/** The fields of `/proc/PID/stat` after the name; empty where there is no such process or no `/proc`. */
function statFields(pid: number | undefined): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Seconds of processor time of a process so far, in steps of 10 ms; NaN where the system does not tell. */
export function cpuSeconds(pid: number | undefined): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Bytes that a process has in memory; NaN where the system does not tell. */
export function residentBytes(pid: number | undefined): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kib) * 1_024;
  } catch {
    return Number.NaN;
  }
}

/** A process and all that come from it. */
export function processTree(root: number): SeenProcess[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry)) parents.set(Number(entry), Number(statFields(Number(entry))[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return pid === root || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).map((pid) => ({ pid, name: programOf(pid) }));
}

/** What a process runs: its program, or for Node the module without its folders. */
function programOf(pid: number): string {
  try {
    const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const module = args.find((argument, index) => /\.[cm]?[jt]s$/.test(argument) && args[index - 1] !== "--import");
    return /^node/.test(basename(program)) && module !== undefined ? basename(module) : basename(program);
  } catch {
    return "ended";
  }
}
