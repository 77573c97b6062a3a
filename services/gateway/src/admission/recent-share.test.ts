import { describe, expect, it } from "vitest";
import { isSmall, RecentShares } from "./recent-share.ts";

describe("a caller that asks for little", () => {
  it.each([
    ["is none where it is alone", { own: 1, total: 1, active: 1 }, false],
    ["is none among equals", { own: 10, total: 20, active: 2 }, false],
    ["is one beside one that asks for much", { own: 10, total: 1_010, active: 2 }, true],
    ["is none from half of the average on", { own: 50, total: 200, active: 2 }, false],
    ["is none when each comes once, as with invented credentials", { own: 1, total: 1_000, active: 1_000 }, false],
  ])("%s", (_, share, small) => {
    expect(isSmall(share)).toBe(small);
  });
});

describe("the requests of the last seconds", () => {
  it("are counted by caller", () => {
    const shares = new RecentShares(() => 0);
    for (let count = 0; count < 9; count += 1) shares.add("Bearer noisy");
    expect(shares.add("Bearer quiet")).toEqual({ own: 1, total: 10, active: 2 });
    expect(shares.add("Bearer noisy")).toEqual({ own: 10, total: 11, active: 2 });
  });

  it("are remembered for a second at least and two at most", () => {
    let now = 0;
    const shares = new RecentShares(() => now);
    shares.add("a");
    now = 1_000;
    expect(shares.add("a")).toEqual({ own: 2, total: 2, active: 1 });
    now = 2_000;
    expect(shares.add("a")).toEqual({ own: 2, total: 2, active: 1 });
    now = 9_000;
    expect(shares.add("b")).toEqual({ own: 1, total: 1, active: 1 });
  });
});
