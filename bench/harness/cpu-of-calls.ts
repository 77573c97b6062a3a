import type { Figure } from "./figure.ts";
import { interleaved } from "./rounds.ts";

export interface CpuOfCalls {
  readonly rounds: number;
  /** Calls of a round. */
  readonly calls: number;
  /** Calls at once. Default 1. */
  readonly callers?: number;
}

/**
 * Microseconds of processor time of this process a call, by what is called: for work that stays in one process. The variants take
 * turns, after a tenth of a round to warm up. Figures are called by the names of the variants.
 */
export async function cpuOfCalls(
  { rounds, calls, callers = 1 }: CpuOfCalls,
  variants: Readonly<Record<string, () => unknown>>,
): Promise<Figure[]> {
  for (const work of Object.values(variants)) await cpuOf(work, Math.ceil(calls / 10), callers);
  const timed = Object.entries(variants).map(([name, work]) => [name, () => cpuOf(work, calls, callers)] as const);
  const measured = await interleaved(rounds, Object.fromEntries(timed));
  return Object.entries(measured).map(([name, values]) => ({
    ...{ id: name.toLowerCase().replaceAll(/\W+/g, "-"), name, unit: "µs of CPU", values },
  }));
}

async function cpuOf(work: () => unknown, calls: number, callers: number): Promise<number> {
  let left = calls;
  const caller = async () => {
    while (left-- > 0) {
      const done = work();
      // What is not asynchronous is not made so: waiting would cost more than many calls do.
      if (done instanceof Promise) await done;
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: callers }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
