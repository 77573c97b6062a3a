import type { components } from "@aiplatform/client";
import { describe, expect, it } from "vitest";
import { after, hasEnded, lineOf, screenOf, type WatchedRun } from "./watched-run.ts";

type LiveMetrics = components["schemas"]["RunLiveMetrics"];

function event(steps: number[], values: (number | string)[], more: Partial<LiveMetrics> = {}): LiveMetrics {
  const newest = { value: values.at(-1), step: steps.at(-1), at: "" };
  const lifecycle = {
    ...{ current_phase: "training", phase_started_at: null, elapsed_seconds: 75, heartbeat_at: null },
    ...{ heartbeat_source: null, latest_log: null, phases: [] },
  };
  return {
    ...{ status: "running", lifecycle, schema_version: "", sequence: 1, updated_at: null, active_segment: 0 },
    metrics: { loss: newest },
    series: { loss: { steps, values, segments: [0], sampled: false } },
    ...{ primary_metric: {}, segments: [], resources: {} },
    ...more,
  };
}

const watched = (events: LiveMetrics[], wanted?: string): WatchedRun =>
  events.reduce<WatchedRun | undefined>((run, each) => after(run, each, wanted), undefined) ?? expect.unreachable();

describe("a run that is watched", () => {
  it("has the points of all its events", () => {
    const { curve, value, step } = watched([event([1, 2], [0.5, 0.25]), event([3], ["NaN"]), event([4], [0.1])]);
    expect(curve.map((point) => [point.step, point.value])).toEqual([
      [1, 0.5],
      [2, 0.25],
      [3, Number.NaN],
      [4, 0.1],
    ]);
    expect([value, step]).toEqual([0.1, 4]);
  });

  it.each([
    { when: "it is running", events: [event([3], [0.25])], line: "running  step 3  loss 0.25  01:15" },
    { when: "nothing was reported", events: [event([], [], { metrics: {}, series: {} })], line: "running  01:15" },
    {
      when: "it has a primary metric",
      events: [event([3], [0.25], { primary_metric: { name: "loss", best_value: 0.2 } })],
      line: "running  step 3  loss 0.25  best 0.2  01:15",
    },
    {
      when: "another metric is wanted",
      events: [event([3], [0.25], { metrics: { accuracy: { value: 0.9, step: 2 }, loss: { value: 1, step: 3 } } })],
      wanted: "accuracy",
      line: "running  step 2  accuracy 0.9  01:15",
    },
    {
      when: "it is paused",
      events: [event([3], [0.25]), event([], [], { status: "paused", metrics: {}, series: {} })],
      line: "paused  step 3  loss 0.25  01:15",
    },
  ])("is told in a line when $when", ({ events, line, wanted }) => {
    expect(lineOf(watched(events, wanted))).toBe(line);
  });

  it("fills no more than the terminal's width, and passes nothing to it that it would act on", () => {
    const { lifecycle, ...rest } = event([1, 2, 3], [3, 2, 1]);
    const log = { message: `\u001b[2J${"long ".repeat(50)}`, source: "", timestamp: "" };
    const lines = screenOf(watched([{ ...rest, lifecycle: { ...lifecycle, latest_log: log } }]), 40);
    expect(lines.every((line) => line.length <= 40)).toBe(true);
    expect(lines.join("")).not.toContain("\u001b");
  });

  it.each([
    ["running", false],
    ["stalled", false],
    ["lost", false],
    ["paused", false],
    ["completed", true],
    ["failed", true],
    ["aborted", true],
  ])("that is %s has ended: %s", (status, ended) => {
    expect(hasEnded({ status })).toBe(ended);
  });
});
