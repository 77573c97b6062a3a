import { performance } from "node:perf_hooks";

/** What one round of one variant showed. */
export interface Round {
  /** Milliseconds that each operation took. */
  readonly latencies: readonly number[];
  /** Seconds from the first operation to the last. */
  readonly seconds: number;
}

/** Runs `count` operations, `concurrency` of them at once, and times each. */
export async function round(
  count: number,
  concurrency: number,
  operation: (index: number) => Promise<unknown>,
): Promise<Round> {
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const caller = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const before = performance.now();
      await operation(index);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return { latencies, seconds: (performance.now() - started) / 1_000 };
}

/** Runs each variant once a round, in turns, so that all of them meet the same moments of the machine. */
export async function interleaved<Name extends string, Result>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const name of names) results[name].push(await variants[name]());
  }
  return results;
}

export const perSecond = ({ latencies, seconds }: Round): number => latencies.length / seconds;
