import { describe, expect, it } from "vitest";
import { framesOf, type TraceEvent } from "../../bench/rows/frame-trace.ts";

const main = { pid: 1, tid: 1 };
const frameAt = (ts: number, thread = main): TraceEvent => ({ name: "AnimationFrame", ph: "b", ts, ...thread });
/** Times in µs; the processor worked half of the clock's time. */
const work = (name: string, ts: number, dur: number, thread = main): TraceEvent => ({
  ...{ name, ph: "X", ts, dur, tdur: dur / 2 },
  ...thread,
});

describe("a trace of a page", () => {
  const events = [
    frameAt(0),
    work("FunctionCall", 100, 4_000),
    work("Paint", 5_000, 2_000),
    frameAt(16_000),
    work("RunMicrotasks", 17_000, 6_000),
    work("FunctionCall", 18_000, 1_000),
    work("Layout", 19_000, 1_000),
    frameAt(32_000),
    work("FunctionCall", 33_000, 1_000),
  ];

  it("has the script and the rendering of each whole frame, in processor time", () => {
    expect(framesOf(events)).toEqual([
      { script: 2, rendering: 1 },
      { script: 3, rendering: 0 },
    ]);
  });

  it("is read in the order of time, whatever order it is written in", () => {
    expect(framesOf(events.toReversed())).toEqual(framesOf(events));
  });

  it("is that of the thread with most frames", () => {
    const other = { pid: 2, tid: 7 };
    expect(framesOf([...events, frameAt(0, other), work("FunctionCall", 1, 9_000, other)])).toEqual(framesOf(events));
  });

  it("without frames is no measurement", () => {
    expect(() => framesOf([work("FunctionCall", 0, 1)])).toThrow("no frames");
  });
});
