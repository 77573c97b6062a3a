import { describe, expect, it } from "vitest";
import { metricColumns } from "./metric-columns.ts";

const point = (key: string, value: number, step: number, timestamp: number) => ({
  ...{ key, value, step },
  timestamp: BigInt(timestamp),
});

describe("metrics that are logged", () => {
  it("are columns by name, with the age of each point where they differ in time", () => {
    const logged = [point("b", 1, 0, 500), point("a", 2, 7, 1_000), point("b", 3, 1, 900), point("b", 4, 2, 400)];
    expect(metricColumns(logged)).toEqual([
      { name: "a", steps: [7], values: [2], observedAtMs: 1_000 },
      { name: "b", steps: [0, 1, 2], values: [1, 3, 4], observedAtMs: 900, agesMs: [400, 0, 500] },
    ]);
  });

  it("have no age where their time is not said", () => {
    const [column] = metricColumns([point("a", 1, 0, 0), point("a", 2, 1, 1_000)]);
    expect(column).toEqual({ name: "a", steps: [0, 1], values: [1, 2], observedAtMs: 1_000 });
  });
});
