import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { boundLog, type LogBounds } from "./bounded-log.ts";

/**
 * A shell that kills what it was told about once its standard input closes, which the kernel does for us however this
 * process ends. It runs in a session of its own, so that Ctrl-C and `kill -9` of our group pass it by.
 */
const guardScript = `
pids=""
while read -r op pid; do
  case "$op" in
    +) pids="$pids $pid" ;;
    -) kept=""; for p in $pids; do [ "$p" = "$pid" ] || kept="$kept $p"; done; pids="$kept" ;;
  esac
done
[ -z "$pids" ] && exit 0
for p in $pids; do kill -TERM "$p" 2>/dev/null; done
for tenth in $(seq 100); do
  alive=""
  for p in $pids; do kill -0 "$p" 2>/dev/null && alive="$alive $p"; done
  [ -z "$alive" ] && exit 0
  sleep 0.1
done
for p in $alive; do kill -KILL "$p" 2>/dev/null; done
`;

let guard: ChildProcess | undefined;

function notifyGuard(line: string): void {
  if (!guard) {
    guard = spawn("/bin/sh", ["-c", guardScript], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    guard.on("error", () => {}).stdin?.on("error", () => {});
    guard.unref();
    if (guard.stdin && "unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref();
  }
  guard.stdin?.write(`${line}\n`);
}

/** What to run. */
export interface GuardedCommand {
  /** Program, by path or by name on the PATH. */
  command: string;
  args: string[];
  /** File that takes its output. Emptied first, so that it does not grow from start to start, unless `keepLog`. */
  logFile: string;
  keepLog?: boolean;
  logBounds?: LogBounds;
  /** Added to this process's environment; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/**
 * Starts a process that cannot outlive this one: it is stopped by {@link stopProcess}, or within ten seconds of our
 * own death, whatever killed us.
 */
export function spawnGuarded({ command, args, logFile, keepLog, logBounds, env, cwd }: GuardedCommand): ChildProcess {
  if (!keepLog) writeFileSync(logFile, "");
  const output = openSync(logFile, "a");
  const options: SpawnOptions = { stdio: ["ignore", output, output], detached: true, env: { ...process.env, ...env } };
  const child = spawn(command, args, cwd ? { ...options, cwd } : options);
  closeSync(output);
  if (child.pid) {
    notifyGuard(`+ ${child.pid}`);
    // The id of an ended process may be given to a new one.
    child.once("exit", () => notifyGuard(`- ${child.pid}`));
  }
  const unbound = boundLog(logFile, logBounds);
  child.once("exit", unbound).once("error", unbound);
  // A failed start is reported to the caller that waits for the exit; without a listener it would end this process.
  child.on("error", () => {});
  return child;
}

/** Whether the process is there. */
export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Resolves when the process is gone; at once if it already is. */
export function exited(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** Asks the process to stop, waits, and kills it when `graceMs` (default 10 s) have passed. */
export async function stopProcess(child: ChildProcess, graceMs = 10_000): Promise<void> {
  if (!isRunning(child)) return;
  child.kill("SIGTERM");
  const killTimer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await exited(child);
  clearTimeout(killTimer);
}

/** The last lines of a log file, for showing why a process did not start. `offset`: where in the file to begin, in bytes. */
export function lastLines(logFile: string, count = 12, offset = 0): string[] {
  try {
    const text = readFileSync(logFile);
    // A file that is shorter than that was emptied meanwhile.
    const since = offset > text.length ? text : text.subarray(offset);
    return since.toString().trimEnd().split("\n").slice(-count);
  } catch {
    return [];
  }
}
