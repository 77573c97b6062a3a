import { describe, expect, it } from "vitest";
import { surplusOf } from "./thin-media.ts";

const places = (steps: readonly number[], segment = 0) =>
  steps.map((step) => ({ _id: `${segment}/${step}`, segment, step }));

const keptOf = (all: ReturnType<typeof places>, max: number) => {
  const surplus = new Set(surplusOf(all, max));
  return all.filter(({ _id }) => !surplus.has(_id)).map(({ _id }) => _id);
};

describe("media of one name that are too many", () => {
  it.each<[string, ReturnType<typeof places>, number, string[]]>([
    ["none where there are no more than there may be", places([1, 2, 3]), 3, ["0/1", "0/2", "0/3"]],
    ["those that stand closest together", places([0, 10, 11, 12, 20, 30]), 4, ["0/0", "0/10", "0/20", "0/30"]],
    ["neither the first nor the last", places([0, 1, 100, 101]), 3, ["0/0", "0/100", "0/101"]],
    [
      "of a segment that was left before one in force",
      [...places([0, 5, 10]), ...places([5], 1)],
      3,
      ["0/0", "0/10", "1/5"],
    ],
    [
      "of a segment that was left, whatever its steps",
      [...places([0, 100, 200, 300]), ...places([150], 1)],
      4,
      ["0/0", "0/100", "0/300", "1/150"],
    ],
    ["all but one of a step", places([7]).concat({ _id: "other", segment: 0, step: 7 }), 1, ["other"]],
  ])("lose %s", (_which, all, max, kept) => {
    expect(keptOf(all, max)).toEqual(kept);
  });

  it("cover the whole training evenly, however long it goes on", () => {
    let kept = places([]);
    for (let step = 0; step < 2_000; step++) {
      kept = [...kept, ...places([step])];
      const surplus = new Set(surplusOf(kept, 100));
      kept = kept.filter(({ _id }) => !surplus.has(_id));
    }
    const gaps = kept.slice(1).map(({ step }, index) => step - (kept[index]?.step ?? 0));
    expect([kept.length, kept[0]?.step, kept.at(-1)?.step]).toEqual([100, 0, 1_999]);
    expect(Math.max(...gaps)).toBeLessThan(60);
  });
});
