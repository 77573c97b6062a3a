import { describe, expect, it } from "vitest";
import { surplusOf } from "./admit-metrics.ts";
import { maxMetricsPerJob } from "./report.ts";

const column = (name: string, points = 1) => ({
  name,
  steps: new Uint32Array(points),
  values: new Float64Array(points),
  observedAtMs: 0,
});

function metrics(count: number): ReadonlySet<string> {
  return new Set(Array.from({ length: count }, (_, index) => `m${index}`));
}

describe("a batch of a job with as many metrics as it may have", () => {
  const full = metrics(maxMetricsPerJob);
  it.each([
    { of: "metrics that the job has", columns: [column("m0"), column("m1999")], field: undefined },
    { of: "a new metric without a point", columns: [column("new", 0)], field: undefined },
    { of: "nothing", columns: [], field: undefined },
    { of: "a new metric", columns: [column("m0"), column("new")], field: "columns[1].name" },
    {
      of: "a new metric whose first column is empty",
      columns: [column("new", 0), column("m0"), column("new")],
      field: "columns[2].name",
    },
  ])("of $of has its problem in $field", ({ columns, field }) => {
    expect(surplusOf(full, columns)?.field).toBe(field);
  });

  it("is told the rule and the remedy", () => {
    const { reason, description } = surplusOf(full, [column("new")]) ?? {};
    expect(reason).toBe("METRICS_TOO_MANY");
    expect(description).toContain("at most 2000 different ones");
    expect(description).toContain("report under a name the job has already");
  });
});

describe("a batch of a job that may have one more metric", () => {
  const almost = metrics(maxMetricsPerJob - 1);
  it.each([
    { of: "one new metric", columns: [column("new")], field: undefined },
    { of: "one new metric twice", columns: [column("new"), column("new")], field: undefined },
    { of: "two new metrics", columns: [column("new"), column("m0"), column("newer")], field: "columns[2].name" },
  ])("of $of has its problem in $field", ({ columns, field }) => {
    expect(surplusOf(almost, columns)?.field).toBe(field);
  });
});
