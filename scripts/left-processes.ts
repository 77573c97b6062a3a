// Names what a run of the tests has left running, where the system has /proc.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "./install.mjs";

/** Time in which processes that were told to end do so. */
const graceMs = 5_000;

interface ProcessStat {
  readonly state: string | undefined;
  readonly session: number;
  /** Clock ticks since the system started. */
  readonly startedAt: number;
}

/** What /proc/PID/stat tells; undefined when the process is gone, or there is no /proc. */
function statOf(pid: number | "self"): ProcessStat | undefined {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { state: fields[0], session: Number(fields[3]), startedAt: Number(fields[19]) };
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return "";
  }
}

/** A program of this repository, or one that it starts; others may use the same session. */
const isOurs = (command: string) => command.includes(root) || /(^|\/)(mongod|nats-server|rclone)( |$)/.test(command);

/** Our processes of this session that began after this one: `pid command`. */
function found(own: ProcessStat): string[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const stat = statOf(pid);
      const isOfRun =
        stat !== undefined && stat.session === own.session && stat.state !== "Z" && stat.startedAt >= own.startedAt;
      const command = isOfRun ? commandOf(pid) : "";
      return isOurs(command) ? [`${pid} ${command}`] : [];
    });
}

/** Waits until nothing is left, or answers what is. */
export async function leftProcesses(): Promise<string[]> {
  const own = statOf("self");
  if (own === undefined) return [];
  const until = Date.now() + graceMs;
  let left = found(own);
  while (left.length > 0 && Date.now() < until) {
    await delay(100);
    left = found(own);
  }
  return left;
}
