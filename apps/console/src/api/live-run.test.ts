import { describe, expect, it } from "vitest";
import { readLiveRun, readSeries } from "./live-run.ts";
import type { LiveMetrics } from "./platform.ts";

const lifecycle: LiveMetrics["lifecycle"] = {
  current_phase: "training",
  phase_started_at: null,
  elapsed_seconds: 3,
  heartbeat_at: null,
  heartbeat_source: null,
  latest_log: null,
  phases: [],
};
const empty: LiveMetrics = {
  status: "running",
  lifecycle,
  schema_version: "training-metrics.v3",
  sequence: 1,
  updated_at: null,
  metrics: {},
  series: {},
  primary_metric: {},
  active_segment: 0,
  segments: [],
  resources: {},
};

describe("live metrics", () => {
  it("have NaN and infinities as numbers, which the API says as texts", () => {
    const metrics = { loss: { value: "NaN", step: 4, at: "" }, norm: { value: "Infinity", step: 4, at: "" } };
    expect(readLiveRun({ ...empty, metrics }).metrics).toEqual({
      loss: { value: Number.NaN, step: 4 },
      norm: { value: Number.POSITIVE_INFINITY, step: 4 },
    });
  });

  it("have no primary metric and no resources where the job has none", () => {
    const { primary, resources } = readLiveRun(empty);
    expect([primary, resources]).toEqual([undefined, undefined]);
  });

  it("say the best of the primary metric", () => {
    const primary_metric = { name: "loss", goal: "minimize", value: 2, step: 9, best_value: 1, best_step: 8 };
    expect(readLiveRun({ ...empty, primary_metric }).primary).toEqual({
      name: "loss",
      goal: "minimize",
      best: { value: 1, step: 8 },
    });
  });

  it("have the points of each metric in columns", () => {
    const series = { loss: { steps: [1, 2], values: [0.5, "NaN"], segments: [0, 0], sampled: false }, odd: null };
    expect(readSeries({ ...empty, series })).toEqual({
      loss: { steps: [1, 2], values: [0.5, Number.NaN], segments: [0, 0] },
    });
  });
});
