import { describe, expect, it } from "@jest/globals";
import { FairPlaces, mayTake } from "./fair-places.ts";

describe("who may take a place", () => {
  it.each([
    ["alone, while there is one", { limit: 10, total: 9, own: 9, active: 1 }, true],
    ["alone, when there is none", { limit: 10, total: 10, own: 10, active: 1 }, false],
    ["below the share, when another has all", { limit: 10, total: 10, own: 0, active: 2 }, true],
    ["the last of the share", { limit: 10, total: 14, own: 4, active: 2 }, true],
    ["beyond the share, when all are taken", { limit: 10, total: 15, own: 5, active: 2 }, false],
    ["beyond the share, while one is free", { limit: 10, total: 9, own: 9, active: 2 }, true],
    ["the first, where there are more callers than places", { limit: 2, total: 5, own: 0, active: 6 }, true],
    ["a second, where there are more callers than places", { limit: 2, total: 5, own: 1, active: 5 }, false],
  ])("%s", (_, claim, taken) => {
    expect(mayTake(claim)).toBe(taken);
  });
});

describe("places of organisations", () => {
  it("leave no organisation out when one has taken all", () => {
    const places = new FairPlaces();
    while (places.take("noisy", 10));
    expect(places.total).toBe(10);
    const quiet = Array.from({ length: 6 }, () => places.take("quiet", 10));
    expect(quiet).toEqual([true, true, true, true, true, false]);
  });

  it("come back to the one that is below its share, not to the one that has most", () => {
    const places = new FairPlaces();
    while (places.take("noisy", 4));
    expect([places.take("quiet", 4), places.take("quiet", 4)]).toEqual([true, true]);
    places.give("noisy");
    places.give("noisy");
    expect(places.take("noisy", 4)).toBe(false);
    places.give("quiet");
    expect(places.take("quiet", 4)).toBe(true);
  });

  it("are forgotten when they are released", () => {
    const places = new FairPlaces();
    for (let turn = 0; turn < 3; turn += 1) {
      expect(places.take("a", 1)).toBe(true);
      places.give("a");
    }
    expect(places.total).toBe(0);
  });
});
