import { describe, expect, it } from "vitest";
import { columnsOf } from "./metric-points.ts";

const request = { metrics: {}, step: undefined, points: [], media: [] };
const point = (step: number, metrics: Record<string, number>) => ({
  $typeName: "aiplatform.training.v1.MetricPoint" as const,
  step,
  metrics,
});

describe("points of a request", () => {
  it.each([
    {
      of: "one step",
      sent: { metrics: { loss: 0.3 }, step: 0 },
      columns: [{ name: "loss", steps: [0], values: [0.3] }],
    },
    {
      of: "many steps",
      sent: { points: [point(2, { loss: 0.2 }), point(1, { loss: 0.1, accuracy: 1 })] },
      columns: [
        { name: "accuracy", steps: [1], values: [1] },
        { name: "loss", steps: [2, 1], values: [0.2, 0.1] },
      ],
    },
    {
      of: "both",
      sent: { metrics: { loss: 0.3 }, step: 3, points: [point(4, { loss: 0.4 })] },
      columns: [{ name: "loss", steps: [3, 4], values: [0.3, 0.4] }],
    },
  ])("are columns by name, of $of", ({ sent, columns }) => {
    expect(columnsOf({ ...request, ...sent })).toEqual(columns.map((column) => ({ ...column, observedAtMs: 0 })));
  });

  it("are the same columns in whatever order the names come", () => {
    const [one, other] = [
      { b: 1, a: 2, c: 3 },
      { c: 3, a: 2, b: 1 },
    ].map((metrics) => columnsOf({ ...request, metrics, step: 1 }));
    expect(one).toEqual(other);
  });

  it.each([
    { of: "nothing", sent: {}, field: "metrics" },
    { of: "metrics without a step", sent: { metrics: { loss: 1 } }, field: "step" },
  ])("are refused of $of, at the field", ({ sent, field }) => {
    expect(() => columnsOf({ ...request, ...sent })).toThrow(field);
  });
});
