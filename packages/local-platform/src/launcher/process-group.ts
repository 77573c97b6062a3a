import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { listens } from "../infra/ports/listens.ts";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";
import { SupervisedProcess } from "../infra/processes/supervised-process.ts";
import type { Programs } from "../infra/programs/programs.ts";

/** Order of stopping: a process stops before those that it uses; those of one line stop together. */
const stopOrder: readonly ((name: string) => boolean)[] = [
  (name) => name === "trainer" || name === "pipeline-trainer",
  (name) => name === "gateway",
  (name) => name.startsWith("training"),
  () => true,
];
const answersWithinMs = 2_000;

/** Nothing is asked before there is something that listens: a look at a port costs a tenth of a request. */
async function answersOk(url: string): Promise<boolean> {
  if (!(await listens(Number(new URL(url).port)))) return false;
  const response = await fetch(url, { signal: AbortSignal.timeout(answersWithinMs) });
  await response.body?.cancel();
  return response.ok;
}

async function areReady(urls: readonly string[]): Promise<boolean> {
  return (await Promise.all(urls.map(answersOk))).every(Boolean);
}

/** Our own processes on this machine, by name. */
export class ProcessGroup {
  readonly #logDirectory: string;
  readonly #log: (line: string) => void;
  readonly #members = new Map<string, SupervisedProcess>();

  readonly #programs: Programs;

  constructor(logDirectory: string, { log, programs }: { log: (line: string) => void; programs: Programs }) {
    this.#logDirectory = logDirectory;
    this.#log = log;
    this.#programs = programs;
  }

  /** Starts a process and keeps it running. Resolves when it is ready. @throws ProcessStartError */
  async start({ name, main, env, readyUrls, graceMs }: ProcessPlan): Promise<void> {
    const program = this.#programs(main);
    const member = new SupervisedProcess({
      name,
      command: process.execPath,
      args: program.args,
      env: { ...program.env, ...env },
      logFile: join(this.#logDirectory, `${name}.log`),
      log: this.#log,
      ...(readyUrls && { ready: () => areReady(readyUrls) }),
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
