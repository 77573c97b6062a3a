import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";
import { SupervisedProcess } from "../infra/processes/supervised-process.ts";

/** Order of stopping: a process stops before those that it uses; those of one line stop together. */
const stopOrder: readonly ((name: string) => boolean)[] = [
  (name) => name === "trainer" || name === "pipeline-trainer",
  (name) => name === "gateway",
  (name) => name.startsWith("training"),
  () => true,
];
const answersWithinMs = 2_000;

const isReady = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(answersWithinMs) })).ok;

/** Our own processes on this machine, by name. */
export class ProcessGroup {
  readonly #logDirectory: string;
  readonly #log: (line: string) => void;
  readonly #members = new Map<string, SupervisedProcess>();

  constructor(logDirectory: string, log: (line: string) => void) {
    this.#logDirectory = logDirectory;
    this.#log = log;
  }

  /** Starts a process and keeps it running. Resolves when it is ready. @throws ProcessStartError */
  async start({ name, main, env, readyUrl, graceMs }: ProcessPlan): Promise<void> {
    const member = new SupervisedProcess({
      name,
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", main],
      env,
      logFile: join(this.#logDirectory, `${name}.log`),
      log: this.#log,
      ...(readyUrl && { ready: () => isReady(readyUrl) }),
      ...(graceMs && { graceMs }),
    });
    this.#members.set(name, member);
    await member.start();
  }

  /** The process of that name. */
  member(name: string): SupervisedProcess {
    const member = this.#members.get(name);
    if (!member) throw new Error(`no process is called ${name}; there are ${[...this.#members.keys()].join(", ")}`);
    return member;
  }

  /** The processes as they are now. */
  children(): [string, ChildProcess][] {
    return [...this.#members].map(([name, member]) => [name, member.child]);
  }

  /** Stops all, users before what they use. */
  async stop(): Promise<void> {
    const left = new Set(this.#members.keys());
    for (const belongs of stopOrder) {
      const now = [...left].filter(belongs);
      for (const name of now) left.delete(name);
      await Promise.all(now.map((name) => this.member(name).stop()));
    }
  }
}
