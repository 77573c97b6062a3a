import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import { until } from "../wait.ts";
import { lowDiskSpace } from "./disk-space.ts";
import { exited, type GuardedCommand, isRunning, lastLines, spawnGuarded, stopProcess } from "./guarded-process.ts";

const backoff: Backoff = { minMs: 250, maxMs: 15_000 };
/** The end in a row from which on the pause is the longest. */
const endsUntilMaxPause = 1 + Math.ceil(Math.log2(backoff.maxMs / backoff.minMs));
/** A process that ran this long was well; its next end starts the back-off again. */
const healthyAfterMs = 60_000;
/** Lines of its own log by which a process is asked why it ended. */
const maxLinesOfRun = 1_000;

/** A process that did not become ready. The message ends with what it said last. */
export class ProcessStartError extends Error {
  override name = "ProcessStartError";
  readonly process: string;
  /** What happened, such as `ended while starting`. */
  readonly why: string;
  readonly logFile: string;

  constructor(process: string, why: string, logFile: string) {
    const said = lastLines(logFile).map((line) => `  ${line}`);
    super([`${process} ${why}. The end of ${logFile}:`, ...said].join("\n"));
    this.process = process;
    this.why = why;
    this.logFile = logFile;
  }
}

/** What to keep running. */
export interface SupervisedCommand extends GuardedCommand {
  name: string;
  /** Returns whether it can be used; asked again and again after each start. Without it, a process can be used at once. */
  ready?: () => Promise<boolean>;
  /** Default 60 s. Each minute until then it is said that it is waited for. */
  readyWithinMs?: number;
  /** How long it may take to stop. Default 10 s. */
  graceMs?: number;
  /** Why it ended, in a few words for people, by the lines it logged since its start. Default: its exit code or signal alone. */
  explain?: (lines: readonly string[]) => string | undefined;
  /** Hears one line about each unexpected end, and about each return. */
  log: (line: string) => void;
}

/** A process that is started again, after a pause that grows, whenever it ends without being asked to. */
export class SupervisedProcess {
  readonly #command: SupervisedCommand;
  #child: ChildProcess | undefined;
  #wanted = false;
  /** Ends in a row, each soon after its start. */
  #ends = 0;
  #again: NodeJS.Timeout | undefined;
  /** Where in the log the present run began. */
  #logOffset = 0;

  constructor(command: SupervisedCommand) {
    this.#command = command;
  }

  /** The process as it is now. */
  get child(): ChildProcess {
    if (!this.#child) throw new Error(`${this.#command.name} was not started`);
    return this.#child;
  }

  /** Why it ended, as far as its log or the disk tells it. */
  get explanation(): string | undefined {
    const { explain, logFile } = this.#command;
    // A full disk takes no log either, so the disk is asked as well.
    return explain?.(lastLines(logFile, maxLinesOfRun, this.#logOffset)) ?? lowDiskSpace(dirname(logFile));
  }

  /** Starts it and waits until it is ready. `signal` gives that up. @throws ProcessStartError */
  async start(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#again);
    const child = this.#spawn();
    try {
      await this.#ready(child, signal);
      this.#wanted = true;
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
    const { logFile } = this.#command;
    this.#logOffset = again ? (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) : 0;
    const child = spawnGuarded({ ...this.#command, keepLog: again });
    this.#child = child;
    const since = Date.now();
    child.once("error", ({ message }) => this.#wanted && this.#scheduleAgain(`cannot be started (${message})`));
    child.once("exit", (code, signal) => {
      if (!this.#wanted || child !== this.#child) return;
      if (Date.now() - since > healthyAfterMs) this.#ends = 0;
      const reason = this.explanation;
      this.#scheduleAgain(`ended (${signal ?? `exit code ${code}`}${reason ? `: ${reason}` : ""})`);
    });
    return child;
  }

  #scheduleAgain(what: string): void {
    const { name, logFile, explain, log } = this.#command;
    this.#ends += 1;
    const pauseMs = backoffMs(backoff, this.#ends);
    log(`${name} ${what}; starting it again in ${(pauseMs / 1_000).toFixed(2)} s, its log is ${logFile}`);
    // What it said before the first restarts is as a rule the same; once the pause is long, it is worth a look.
    if (this.#ends >= endsUntilMaxPause && !explain) for (const line of lastLines(logFile, 5)) log(`  ${line}`);
    this.#again = setTimeout(() => this.#startAgain(), pauseMs);
  }

  #startAgain(): void {
    const { name, ready, log } = this.#command;
    try {
      const child = this.#spawn(true);
      if (!ready) return;
      const says = () => this.#wanted && log(`${name} is running again`);
      // An end before that is told by itself.
      this.#ready(child).then(says, () => {});
    } catch (error) {
      // Its log cannot be opened, for example: that may pass like any other end.
      this.#scheduleAgain(`cannot be started (${error instanceof Error ? error.message : error})`);
    }
  }

  async #ready(child: ChildProcess, signal?: AbortSignal): Promise<void> {
    const { name, logFile, ready, readyWithinMs = 60_000, log } = this.#command;
    let minutes = 1;
    const began = Date.now();
    const look = async () => {
      if (Date.now() - began > minutes * 60_000)
        log(`${name} is not ready after ${minutes++} min; its log is ${logFile}`);
      signal?.throwIfAborted();
      if (!isRunning(child)) throw new ProcessStartError(name, "ended while starting", logFile);
      const answer = ready ? await ready().catch(() => false) : true;
      return answer || undefined;
    };
    const otherwise = () => new ProcessStartError(name, `was not ready after ${readyWithinMs / 1000} s`, logFile);
    await until(look, { withinMs: readyWithinMs, everyMs: 50, otherwise });
  }
}
