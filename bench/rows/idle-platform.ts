/**
 * What the platform of `npm start` costs while it has nothing to do: memory and processor time of each process and of all. The example
 * trainer is left out, since it works all the time.
 *
 *     node bench/rows/idle-platform.ts [--rounds 5]
 *
 * A round is a minute; all rounds look at the same platform.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, runBench } from "../harness/bench.ts";
import type { Figure } from "../harness/figure.ts";
import { npmStart } from "../harness/npm-start.ts";
import { cpuSeconds, processTree, residentBytes } from "../harness/processes.ts";

/** After the start: what that has left to do is over. */
const restSeconds = 60;
const roundSeconds = 60;

/** Of one process in one round. */
interface Cost {
  readonly memory: number;
  /** Percent of a core. */
  readonly cpu: number;
}

async function roundOf(root: number, seconds: number): Promise<Map<string, Cost>> {
  const before = processTree(root).map((seen) => ({ ...seen, cpu: cpuSeconds(seen.pid) }));
  const begin = performance.now();
  await delay(seconds * 1_000);
  const elapsed = (performance.now() - begin) / 1_000;
  const costs = new Map<string, Cost>();
  for (const { pid, name, cpu } of before) {
    const memory = residentBytes(pid) / 1e6;
    if (Number.isNaN(memory)) throw new Error(`${name} ended meanwhile: the platform was not idle`);
    const { memory: more, cpu: earlier } = costs.get(name) ?? { memory: 0, cpu: 0 };
    costs.set(name, { memory: more + memory, cpu: earlier + ((cpuSeconds(pid) - cpu) / elapsed) * 100 });
  }
  return costs;
}

function figuresOf(rounds: readonly ReadonlyMap<string, Cost>[]): Figure[] {
  const all = (of: (cost: Cost) => number) =>
    rounds.map((costs) => [...costs.values()].reduce((sum, cost) => sum + of(cost), 0));
  const each = [...(rounds[0]?.keys() ?? [])].flatMap((name): Figure[] => {
    const valuesOf = (of: (cost: Cost) => number) => rounds.flatMap((costs) => costs.get(name) ?? []).map(of);
    return [
      { id: `idle-memory-${name}`, name: `memory of ${name}`, unit: "MB", values: valuesOf(({ memory }) => memory) },
      { id: `idle-cpu-${name}`, name: `CPU of ${name}`, unit: "% of a core", values: valuesOf(({ cpu }) => cpu) },
    ];
  });
  return [
    { id: "idle-memory", name: "memory of an idle platform", unit: "MB", values: all(({ memory }) => memory) },
    { id: "idle-cpu", name: "CPU of an idle platform", unit: "% of a core", values: all(({ cpu }) => cpu) },
    ...each,
  ];
}

export const idlePlatform: Bench = {
  title: "The platform of npm start while it has nothing to do",
  async measure({ rounds, share }) {
    await using home = await mkdtempDisposable(join(tmpdir(), "idle-platform-"));
    await using platform = await npmStart({ directory: home.path, args: ["--no-trainer"] });
    await delay(restSeconds * share * 1_000);
    const seen: Map<string, Cost>[] = [];
    for (let round = 0; round < rounds; round += 1) seen.push(await roundOf(platform.pid, roundSeconds * share));
    return figuresOf(seen);
  },
};

if (import.meta.main) await runBench(idlePlatform);
