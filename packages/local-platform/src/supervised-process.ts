import type { ChildProcess } from "node:child_process";
import { exited, type GuardedCommand, isRunning, lastLines, spawnGuarded, stopProcess } from "./guarded-process.ts";
import { until } from "./until.ts";

const firstPauseMs = 250;
const longestPauseMs = 15_000;
/** A process that ran this long was well; its next end starts the back-off anew. */
const wellAfterMs = 60_000;

/** A process that did not become ready. The message ends with what it said last. */
export class ProcessStartError extends Error {
  override name = "ProcessStartError";
  readonly process: string;

  constructor(process: string, why: string, logFile: string) {
    const said = lastLines(logFile).map((line) => `  ${line}`);
    super([`${process} ${why}. The end of ${logFile}:`, ...said].join("\n"));
    this.process = process;
  }
}

/** What to keep running. */
export interface SupervisedCommand extends GuardedCommand {
  name: string;
  /** Answers whether it can be used; asked again and again after each start. */
  ready: () => Promise<boolean>;
  /** Default 60 s. */
  readyWithinMs?: number;
  /** How long it may take to stop. Default 10 s. */
  graceMs?: number;
  /** Hears one line about each unexpected end. */
  log: (line: string) => void;
}

/** A process that is started again, after a pause that grows, whenever it ends without being asked to. */
export class SupervisedProcess {
  readonly #command: SupervisedCommand;
  #child: ChildProcess | undefined;
  #wanted = false;
  #pauseMs = firstPauseMs;
  #again: NodeJS.Timeout | undefined;

  constructor(command: SupervisedCommand) {
    this.#command = command;
  }

  /** The process as it is now. */
  get child(): ChildProcess {
    if (!this.#child) throw new Error(`${this.#command.name} was not started`);
    return this.#child;
  }

  /** Starts it and waits until it is ready. @throws ProcessStartError */
  async start(): Promise<void> {
    clearTimeout(this.#again);
    this.#wanted = true;
    const child = this.#spawn();
    try {
      await this.#ready(child);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends it with `signal` and waits until it is gone. It stays away until {@link start}. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#again);
    const child = this.#child;
    if (!child || !isRunning(child)) return;
    const gone = exited(child);
    child.kill(signal);
    await gone;
  }

  /** Asks it to stop, and waits. */
  async stop(): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#again);
    if (this.#child) await stopProcess(this.#child, this.#command.graceMs);
  }

  #spawn(again = false): ChildProcess {
    const child = spawnGuarded({ ...this.#command, keepLog: again });
    this.#child = child;
    const since = Date.now();
    child.once("exit", (code, signal) => {
      if (!this.#wanted || child !== this.#child) return;
      if (Date.now() - since > wellAfterMs) this.#pauseMs = firstPauseMs;
      this.#scheduleAgain(signal ?? `exit code ${code}`);
    });
    return child;
  }

  #scheduleAgain(reason: string): void {
    const { name, logFile, log } = this.#command;
    log(`${name} ended (${reason}); starting it again in ${this.#pauseMs / 1000} s, its log is ${logFile}`);
    // What it said before the first restarts is as a rule the same; once the pause is long, it is worth a look.
    if (this.#pauseMs >= longestPauseMs) for (const line of lastLines(logFile, 5)) log(`  ${line}`);
    this.#again = setTimeout(() => this.#spawn(true), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  async #ready(child: ChildProcess): Promise<void> {
    const { name, logFile, ready, readyWithinMs = 60_000 } = this.#command;
    const look = async () => {
      if (!isRunning(child)) throw new ProcessStartError(name, "ended while starting", logFile);
      return (await ready().catch(() => false)) || undefined;
    };
    const otherwise = () => new ProcessStartError(name, `was not ready after ${readyWithinMs / 1000} s`, logFile);
    await until(look, { withinMs: readyWithinMs, everyMs: 50, otherwise });
  }
}
