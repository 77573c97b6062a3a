import { describe, expect, it } from "vitest";
import { createRefreshBudget } from "./refresh-budget.ts";

describe("the budget for asking an issuer", () => {
  const start = Date.parse("2026-11-21T10:00:00Z");

  it("allows a burst, then one per interval", () => {
    let elapsed = 0;
    const budget = createRefreshBudget({ burst: 2, intervalMs: 10_000, now: () => new Date(start + elapsed) });
    const asked = [0, 0, 0, 9_999, 10_000, 10_001, 20_000].map((at) => {
      elapsed = at;
      return budget.take();
    });
    expect(asked).toEqual([true, true, false, false, true, false, true]);
  });

  it("saves no more than the burst, however long it is not used", () => {
    let elapsed = 0;
    const budget = createRefreshBudget({ burst: 2, intervalMs: 10_000, now: () => new Date(start + elapsed) });
    elapsed = 3_600_000;
    expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false]);
  });

  it("allows one in each interval to a caller that asks ten times in it", () => {
    let elapsed = 0;
    const budget = createRefreshBudget({ burst: 1, intervalMs: 10_000, now: () => new Date(start + elapsed) });
    const allowed: number[] = [];
    for (; elapsed < 60_000; elapsed += 1_000) if (budget.take()) allowed.push(elapsed);
    expect(allowed).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
  });

  it("gives nothing for a clock that is set back", () => {
    let elapsed = 0;
    const budget = createRefreshBudget({ burst: 1, intervalMs: 10_000, now: () => new Date(start + elapsed) });
    expect(budget.take()).toBe(true);
    elapsed = -60_000;
    expect(budget.take()).toBe(false);
  });
});
