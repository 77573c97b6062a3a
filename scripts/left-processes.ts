// Names what a run of the tests has left running, where the system has /proc.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "./install.mjs";

/** Variable that names a run of the tests to all processes that it starts. */
export const runVariable = "TEST_RUN";

/** Time in which processes that were told to end do so; a guard kills what it guards after ten seconds. */
const defaultGraceMs = 12_000;

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

/** The run whose name the process has inherited in its environment, whatever session it is in. */
function runOf(pid: number): string | undefined {
  try {
    const variable = `${runVariable}=`;
    const entry = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .find((entry) => entry.startsWith(variable));
    return entry?.slice(variable.length);
  } catch {
    // It is gone, or another user's.
    return undefined;
  }
}

/** A program of this repository, or one that it starts; others may use the same session. */
const isOurs = (command: string) => command.includes(root) || /(^|\/)(mongod|nats-server|rclone)( |$)/.test(command);

/** Our processes of the run that began after this one, in its session or one of their own: `pid command`. */
function found(own: ProcessStat, run: string): string[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const stat = statOf(pid);
      if (stat === undefined || stat.state === "Z" || stat.startedAt < own.startedAt) return [];
      // Runs that were started beside each other share a session: what names another run is not of this one.
      const named = runOf(pid);
      const isOfRun = named === undefined ? stat.session === own.session : named === run;
      const command = isOfRun ? commandOf(pid) : "";
      return isOurs(command) ? [`${pid} ${command}`] : [];
    });
}

/** Waits until nothing of a run is left, or answers what is. */
export async function leftProcesses(run: string, graceMs = defaultGraceMs): Promise<string[]> {
  const own = statOf("self");
  if (own === undefined) return [];
  const until = Date.now() + graceMs;
  let left = found(own, run);
  while (left.length > 0 && Date.now() < until) {
    await delay(100);
    left = found(own, run);
  }
  return left;
}
