import { describe, expect, it } from "vitest";
import type { Checkpoint } from "../job-log/job-entry.ts";
import { bestCheckpoint } from "./best-checkpoint.ts";

function checkpoint(id: string, metrics: Record<string, number>): Checkpoint {
  return {
    id,
    step: 1,
    segmentIndex: 0,
    metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
    uri: "",
    sha256: "",
    sizeBytes: 0,
    createdAt: new Date(0),
  };
}

describe("the best of the checkpoints", () => {
  const [low, high] = [checkpoint("low", { loss: 1 }), checkpoint("high", { loss: 2 })];
  it.each([
    { is: "the lowest of a metric to minimise", goal: "minimize" as const, of: [high, low], id: "low" },
    { is: "the highest of a metric to maximise", goal: "maximize" as const, of: [high, low], id: "high" },
    {
      is: "the newest of equals",
      goal: "minimize" as const,
      of: [low, checkpoint("newer", { loss: 1 })],
      id: "newer",
    },
    {
      is: "the newest of equals, to maximise too",
      goal: "maximize" as const,
      of: [high, checkpoint("newer", { loss: 2 })],
      id: "newer",
    },
    {
      is: "never one without a value",
      goal: "minimize" as const,
      of: [checkpoint("other", { accuracy: -9 }), high],
      id: "high",
    },
    {
      is: "never one of NaN, not even before the others",
      goal: "minimize" as const,
      of: [checkpoint("nan", { loss: Number.NaN }), high],
      id: "high",
    },
    {
      is: "one of an infinity when that is better",
      goal: "maximize" as const,
      of: [checkpoint("infinite", { loss: Number.POSITIVE_INFINITY }), high],
      id: "infinite",
    },
    { is: "none where there are none", goal: "maximize" as const, of: [], id: undefined },
    {
      is: "none where none has a value",
      goal: "maximize" as const,
      of: [checkpoint("nan", { loss: Number.NaN })],
      id: undefined,
    },
  ])("is $is", ({ goal, of, id }) => {
    expect(bestCheckpoint(of, { name: "loss", goal })?.id).toBe(id);
  });
});
