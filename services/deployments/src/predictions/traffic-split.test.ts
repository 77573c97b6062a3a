import { describe, expect, it } from "vitest";
import { splitTraffic, weightedEndpoints } from "./traffic-split.ts";

const endpoint = (versionId: string, url: string) => ({ versionId, url });
const [a1, a2, b1, c1] = [endpoint("a", "1"), endpoint("a", "2"), endpoint("b", "3"), endpoint("c", "4")];
const canary = { versionId: "b", percent: 10 };

describe("the shares of versions", () => {
  it.each([
    ["everything for the current one", { currentVersionId: "a", canary: undefined, endpoints: [a1, c1] }, { a: 100 }],
    ["what a healthy canary leaves", { currentVersionId: "a", canary, endpoints: [a1, b1] }, { a: 90, b: 10 }],
    ["nothing for a canary that is not ready", { currentVersionId: "a", canary, endpoints: [a1] }, { a: 100 }],
    ["nothing for a canary alone", { currentVersionId: "a", canary, endpoints: [b1] }, {}],
    ["nothing before the first has served", { currentVersionId: undefined, canary: undefined, endpoints: [a1] }, {}],
    ["nothing where nothing runs", { currentVersionId: "a", canary: undefined, endpoints: [] }, {}],
  ])("are %s", (_what, deployment, expected) => {
    expect(Object.fromEntries(splitTraffic(deployment))).toEqual(expected);
  });

  it("are divided among a version's instances", () => {
    const endpoints = [a1, a2, b1];
    const weights = weightedEndpoints({ currentVersionId: "a", canary, endpoints }).map(({ weight }) => weight);
    const [first = 0, second, tried = 0] = weights;
    expect(first).toBe(second);
    expect((2 * first) / tried).toBe(9);
  });

  it("give every instance some of its version's share", () => {
    const endpoints = Array.from({ length: 1_000 }, (_, index) => endpoint("a", String(index)));
    const weighted = weightedEndpoints({ currentVersionId: "a", canary: undefined, endpoints });
    expect(weighted.every(({ weight }) => Number.isInteger(weight) && weight > 0)).toBe(true);
  });
});
