import { describe, expect, it } from "vitest";
import { FairSemaphore, mayAcquire } from "./fair-semaphore.ts";

describe("a permit", () => {
  it.each([
    ["alone, while there is one", { limit: 10, total: 9, own: 9, active: 1 }, true],
    ["alone, when there is none", { limit: 10, total: 10, own: 10, active: 1 }, false],
    ["below the share, when another has all", { limit: 10, total: 10, own: 0, active: 2 }, true],
    ["the last of the share", { limit: 10, total: 14, own: 4, active: 2 }, true],
    ["beyond the share, when all are taken", { limit: 10, total: 15, own: 5, active: 2 }, false],
    ["beyond the share, while one is free", { limit: 10, total: 9, own: 9, active: 2 }, true],
    ["the first, where there are more callers than permits", { limit: 2, total: 5, own: 0, active: 6 }, true],
    ["a second, where there are more callers than permits", { limit: 2, total: 5, own: 1, active: 5 }, false],
  ])("%s", (_, claim, taken) => {
    expect(mayAcquire(claim)).toBe(taken);
  });
});

describe("permits of organisations", () => {
  it("leave no organisation out when one has taken all", () => {
    const permits = new FairSemaphore();
    while (permits.tryAcquire("noisy", 10));
    expect(permits.total).toBe(10);
    const quiet = Array.from({ length: 6 }, () => permits.tryAcquire("quiet", 10));
    expect(quiet).toEqual([true, true, true, true, true, false]);
  });

  it("come back to the one that is below its share, not to the one that has most", () => {
    const permits = new FairSemaphore();
    while (permits.tryAcquire("noisy", 4));
    expect([permits.tryAcquire("quiet", 4), permits.tryAcquire("quiet", 4)]).toEqual([true, true]);
    permits.release("noisy");
    permits.release("noisy");
    expect(permits.tryAcquire("noisy", 4)).toBe(false);
    permits.release("quiet");
    expect(permits.tryAcquire("quiet", 4)).toBe(true);
  });

  it("are forgotten when they are released", () => {
    const permits = new FairSemaphore();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(permits.tryAcquire("a", 1)).toBe(true);
      permits.release("a");
    }
    expect(permits.total).toBe(0);
  });
});
