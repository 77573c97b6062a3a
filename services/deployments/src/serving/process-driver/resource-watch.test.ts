import { describe, expect, it } from "vitest";
import type { RuntimeState } from "../runtime-state.ts";
import { ResourceWatch } from "./resource-watch.ts";

const limits = { memoryMb: 256, spareProcessorMs: 30_000 };
const idle: RuntimeState = { state: "ready", inFlight: 0 };

/** After how many seconds it has to end, when each second costs so much processor time; undefined: it may go on. */
function endsAfter(seconds: number, perSecondMs: number, reportAt: (second: number) => RuntimeState | undefined) {
  const watch = new ResourceWatch(limits);
  for (let second = 0; second <= seconds; second += 1) {
    const usage = { memoryMb: 100, processorMs: second * perSecondMs };
    if (watch.exceeded(usage, reportAt(second), second * 1_000)) return second;
  }
  return undefined;
}

const underWay: RuntimeState = { state: "ready", inFlight: 1 };
const between = (second: number): RuntimeState => ({ ...idle, lastUsedAt: new Date(second * 1_000) });

describe("an instance that uses the processor", () => {
  it.each<[string, number, (second: number) => RuntimeState | undefined, number | undefined]>([
    ["with one processor and no prediction ends", 1_000, () => idle, 34],
    ["with two processors and no prediction ends sooner", 2_000, () => idle, 16],
    ["with a tenth of a processor goes on", 100, () => idle, undefined],
    ["for a prediction that is under way goes on", 1_000, () => underWay, undefined],
    ["for predictions that end between two looks goes on", 1_000, between, undefined],
    ["while it loads goes on", 1_000, () => undefined, undefined],
    ["beside a prediction every tenth second ends", 1_000, (second) => between(Math.floor(second / 10)), 37],
  ])("%s", (_, perSecondMs, reportAt, expected) => {
    expect(endsAfter(600, perSecondMs, reportAt)).toBe(expected);
  });

  it("is told how much that was", () => {
    const watch = new ResourceWatch({ memoryMb: 256, spareProcessorMs: 1_000 });
    watch.exceeded({ memoryMb: 1, processorMs: 0 }, idle, 0);
    expect(watch.exceeded({ memoryMb: 1, processorMs: 2_000 }, idle, 1_000)).toEqual({
      reason: "ResourcesUnavailable",
      message: "The instance used the processor for more than 1 s without a prediction, and was ended.",
    });
  });
});

describe("an instance that takes memory", () => {
  it("ends above memory_mb and what the runtime needs", () => {
    const watch = new ResourceWatch(limits);
    expect(watch.exceeded({ memoryMb: 416 }, idle, 0)).toBeUndefined();
    expect(watch.exceeded({ memoryMb: 417 }, idle, 0)).toMatchObject({ message: expect.stringContaining("256 MiB") });
  });

  it("is left to the kernel where that holds it to its memory", () => {
    const watch = new ResourceWatch({ spareProcessorMs: 30_000 });
    expect(watch.exceeded({ memoryMb: 100_000 }, idle, 0)).toBeUndefined();
  });
});
