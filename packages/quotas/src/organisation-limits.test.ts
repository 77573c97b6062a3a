import { describe, expect, it } from "vitest";
import { compareLimits, type LimitsPage } from "./organisation-limits.ts";

/** Of the organisation `a`, `a1` is the first revision, with the limit 1; `a0` is one of which nothing is known. */
function limits(text: string) {
  const revision = Number(text.slice(1));
  return { organisationId: text.slice(0, 1), revision, limits: revision === 0 ? {} : { runs: revision } };
}

/** `a1 b2` is a whole list, `a1 b2 …` one that goes on. */
function page(text: string): LimitsPage {
  const items = text.split(" ").filter((item) => item !== "" && item !== "…");
  return { items: items.map(limits), isLast: !text.endsWith("…") };
}

describe("what a service knows, compared with what identity has", () => {
  it.each<[title: string, known: string, actual: string, differences: string[][], next: string | undefined]>([
    ["is as it should be where both have nothing", "", "", [], undefined],
    ["is as it should be where both have the same", "a1 b2", "a1 b2", [], undefined],
    ["lacks what it was never told", "", "a1", [["a0", "a1"]], undefined],
    ["is behind where it missed a change", "a1 b1", "a1 b3", [["b1", "b3"]], undefined],
    ["is ahead where identity was restored from a backup", "a3", "a2", [["a3", "a2"]], undefined],
    ["is ahead where identity has forgotten an organisation", "a1 b1", "b1", [["a1", "a0"]], undefined],
    ["is compared as far as both pages go: identity's is full", "a1 b1 c1", "a1 b2 …", [["b1", "b2"]], "b"],
    [
      "is compared as far as both pages go: its own is full",
      "a1 c1 …",
      "a2 b1 c1 d1",
      [
        ["a1", "a2"],
        ["b0", "b1"],
      ],
      "c",
    ],
    [
      "is compared as far as both pages go: both are full",
      "b1 d1 …",
      "a1 c1 …",
      [
        ["a0", "a1"],
        ["b1", "b0"],
        ["c0", "c1"],
      ],
      "c",
    ],
  ])("%s", (_title, known, actual, differences, next) => {
    expect(compareLimits(page(known), page(actual))).toEqual({
      differences: differences.map(([from = "", to = ""]) => ({ known: limits(from), actual: limits(to) })),
      next,
    });
  });

  it("differs where one revision has two contents: identity was restored, and then changed", () => {
    const known = { organisationId: "a", revision: 2, limits: { runs: 1 } };
    const actual = { ...known, limits: { runs: 5 } };
    const whole = (item: typeof known) => ({ items: [item], isLast: true });
    expect(compareLimits(whole(known), whole(actual)).differences).toEqual([{ known, actual }]);
  });
});
