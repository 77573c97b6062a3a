import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "./figure.ts";

/** One look at the machine while the bench itself does nothing else. */
export interface MachineLook {
  /** Milliseconds of a fixed computation, median. */
  readonly spinMs: number;
  /** Part of all processors that is busy, from 0 to 1; NaN where the system does not tell. */
  readonly busy: number;
  /** Processes that want a processor, average of a minute. */
  readonly load: number;
}

/** From here on others disturb. */
export const quietLimits = {
  /** Of all processors. */
  busy: 0.06,
  /** The computation against its fastest run at the start. */
  spin: 1.15,
  /** Processes a processor; looked at before the first row only, since a row raises it itself. */
  load: 0.4,
} as const;

const spins = 9;
const lookMs = 1_000;

/** A fixed computation in integers and floats that allocates nothing: some milliseconds. */
function spin(): number {
  const begin = performance.now();
  let state = 1;
  let sum = 0;
  for (let step = 0; step < 4_000_000; step += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    sum += Math.sqrt(state >>> 8);
  }
  if (!Number.isFinite(sum)) throw new Error("the computation of the calibration went wrong");
  return performance.now() - begin;
}

function spinTimes(): number[] {
  spin();
  return Array.from({ length: spins }, spin);
}

/** Milliseconds of the fixed computation on this machine at its best, to compare later looks with. */
export const calibratedSpinMs = (): number => Math.min(...spinTimes());

/** Jiffies that all processors have been busy, and all there were; NaN without `/proc`. */
function processorTimes(): { busy: number; all: number } {
  try {
    const fields = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = fields ?? [];
    const busy = user + nice + system + irq + soft + steal;
    return { busy, all: busy + idle + wait };
  } catch {
    return { busy: Number.NaN, all: Number.NaN };
  }
}

/** Looks for a second how busy others keep the machine, then times the computation. */
export async function lookAtMachine(): Promise<MachineLook> {
  const load = loadavg()[0] ?? 0;
  const before = processorTimes();
  await delay(lookMs);
  const after = processorTimes();
  return { load, busy: (after.busy - before.busy) / (after.all - before.all), spinMs: median(spinTimes()) };
}

/** Why the machine is not quiet, in a few words; undefined when it is. `first`: nothing of ours ran before. */
export function disturbance(
  { spinMs, busy, load }: MachineLook,
  { calibratedMs, first = false, cores = availableParallelism() }: Calibration,
): string | undefined {
  if (first && load / cores > quietLimits.load) return `the load is ${load.toFixed(1)} on ${cores} processors`;
  if (busy > quietLimits.busy) return `others keep ${Math.round(busy * 100)} % of the processors busy`;
  const slower = spinMs / calibratedMs;
  if (slower > quietLimits.spin) return `a fixed computation takes ${slower.toFixed(2)} × its best time`;
  return undefined;
}

export interface Calibration {
  readonly calibratedMs: number;
  readonly first?: boolean;
  readonly cores?: number;
}
