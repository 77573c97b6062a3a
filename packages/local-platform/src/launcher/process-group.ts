import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { listens } from "../infra/ports/listens.ts";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";
import { SupervisedProcess } from "../infra/processes/supervised-process.ts";
import type { Programs } from "../infra/programs/programs.ts";
import { inStopOrder } from "../services/stop-order.ts";

const answersWithinMs = 2_000;

/** Nothing is asked before there is something that listens: a look at a port costs a tenth of a request. */
async function answersOk(url: string): Promise<boolean> {
  if (!(await listens(Number(new URL(url).port)))) return false;
  const response = await fetch(url, { signal: AbortSignal.timeout(answersWithinMs) });
  await response.body?.cancel();
  return response.ok;
}

/** One after the other: while one is not ready, the others are not asked. */
async function areReady(urls: readonly string[]): Promise<boolean> {
  for (const url of urls) if (!(await answersOk(url))) return false;
  return true;
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
  async start({ name, main, env, readyUrls, readyWithinMs, graceMs, explain }: ProcessPlan): Promise<void> {
    const program = this.#programs(main);
    const member = new SupervisedProcess({
      name,
      command: process.execPath,
      args: program.args,
      env: { ...program.env, ...env },
      logFile: join(this.#logDirectory, `${name}.log`),
      log: this.#log,
      ...(readyUrls && { ready: () => areReady(readyUrls) }),
      ...(readyWithinMs && { readyWithinMs }),
      ...(graceMs && { graceMs }),
      ...(explain && { explain }),
    });
    this.#members.set(name, member);
    await member.start();
  }

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
    for (const names of inStopOrder([...this.#members.keys()]))
      await Promise.all(names.map((name) => this.member(name).stop()));
  }
}
