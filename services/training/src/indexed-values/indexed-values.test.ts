import { describe, expect, it } from "vitest";
import { indexedConfiguration, maxIndexedMetrics, maxIndexedValues, mergedMetrics } from "./indexed-values.ts";

const indexed = (...configurations: object[]) =>
  indexedConfiguration(configurations.map((each) => ({ configuration: JSON.stringify(each) }))).map(
    ({ key, value }) => [key, value] as const,
  );

describe("the values of a run's configuration", () => {
  it.each<[name: string, configurations: object[], values: [string, unknown][]]>([
    [
      "scalars of every kind",
      [{ a: 1, b: "x", c: false }],
      [
        ["a", 1],
        ["b", "x"],
        ["c", false],
      ],
    ],
    ["keys within keys", [{ model: { layers: { count: 3 } } }], [["model.layers.count", 3]]],
    [
      "a key with a dot",
      [{ "a.b": 1, "": 2 }],
      [
        ["a.b", 1],
        ["", 2],
      ],
    ],
    ["neither lists nor null", [{ a: [1], b: null, c: 1 }], [["c", 1]]],
    ["no text that is long", [{ a: "x".repeat(256), b: "y" }], [["b", "y"]]],
    [
      "those of all jobs, equal ones once",
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
      [
        ["a", 1],
        ["b", 2],
        ["b", 3],
      ],
    ],
    ["nothing of nothing", [{}], []],
  ])("are %s", (_name, configurations, values) => {
    expect(indexed(...configurations)).toEqual(values);
  });

  it("are the first hundred", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, index]));
    expect(indexed(many)).toHaveLength(maxIndexedValues);
    expect(indexed(many)[99]).toEqual(["k99", 99]);
  });
});

describe("the metrics of a run", () => {
  const loss = { key: "loss", value: 1 };

  it.each([
    ["a new value", [["loss", 0.5]], [{ key: "loss", value: 0.5 }]],
    ["another metric", [["accuracy", 0.9]], [loss, { key: "accuracy", value: 0.9 }]],
    ["no value where the last is no number", [["loss", Number.NaN]], []],
    ["no value where the last is infinite", [["loss", Number.POSITIVE_INFINITY]], []],
    ["what they were without a report", [], [loss]],
  ] as const)("have %s", (_name, latest, expected) => {
    expect(mergedMetrics([loss], new Map(latest))).toEqual(expected);
  });

  it("are the hundred that were reported first, with their new values", () => {
    const first = Array.from({ length: maxIndexedMetrics }, (_, index) => ({ key: `m${index}`, value: 0 }));
    const merged = mergedMetrics(
      first,
      new Map([
        ["new", 1],
        ["m5", 2],
      ]),
    );
    expect(merged).toHaveLength(maxIndexedMetrics);
    expect([merged[5], merged.find(({ key }) => key === "new")]).toEqual([{ key: "m5", value: 2 }, undefined]);
  });
});
