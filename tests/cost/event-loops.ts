import { readFileSync } from "node:fs";
import type { LocalPlatform } from "@aiplatform/local-platform";

const watched = ["gateway", "identity", "training", "content", "deployments", "data"];

/** Milliseconds of CPU on the loop of that name. */
export interface Spent {
  readonly loop: string;
  readonly ms: number;
}

/** Milliseconds of CPU that the main thread of each process has used: what runs there keeps all callers waiting. */
type LoopTimes = ReadonlyMap<string, number>;

/** The event loops of a platform's processes. */
export class EventLoops {
  readonly #platform: LocalPlatform;

  constructor(platform: LocalPlatform) {
    this.#platform = platform;
  }

  /** What the work cost the busiest of the loops, `times` times done, each on average. */
  async spentOn(work: () => Promise<unknown>, times: number): Promise<Spent> {
    const before = this.#times();
    for (let left = times; left > 0; left--) await work();
    const after = this.#times();
    const spent = watched.map((loop) => ({ loop, ms: ((after.get(loop) ?? 0) - (before.get(loop) ?? 0)) / times }));
    return spent.reduce((most, each) => (each.ms > most.ms ? each : most), { loop: "none", ms: 0 });
  }

  #times(): LoopTimes {
    return new Map(watched.map((name) => [name, this.#timeOf(name)]));
  }

  #timeOf(name: string): number {
    const pid = this.#platform.processes.get(name)?.pid;
    if (pid === undefined) throw new Error(`${name} does not run`);
    // Nanoseconds; `stat` counts in hundredths of a second.
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1_000_000;
  }
}
