import { describe, expect, it } from "vitest";
import { firstScale, idleInstances, scale, type VersionUse } from "./scale.ts";

const now = new Date("2026-01-01T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const config = { minInstances: 0, maxInstances: 3, idleSeconds: 30, concurrency: 2 };
const unused: VersionUse = { inFlight: 0, lastUsedAt: undefined, wakeRequestedAt: undefined };

describe("the number of instances without use", () => {
  it.each([
    { minInstances: 0, idleSeconds: 30, expected: 0 },
    { minInstances: 0, idleSeconds: 0, expected: 1 },
    { minInstances: 1, idleSeconds: 30, expected: 1 },
    { minInstances: 2, idleSeconds: 0, expected: 2 },
  ])("is $expected for min_instances $minInstances and idle_seconds $idleSeconds", ({ expected, ...given }) => {
    expect(idleInstances({ ...config, ...given })).toBe(expected);
  });
});

describe("the first number of instances", () => {
  it.each([
    { had: 0, minInstances: 0, count: 0 },
    { had: 0, minInstances: 2, count: 2 },
    { had: 2, minInstances: 0, count: 2 },
    { had: 9, minInstances: 0, count: 3 },
  ])("is $count where there were $had and at least $minInstances are kept", ({ had, minInstances, count }) => {
    expect(firstScale({ ...config, minInstances }, had, now)).toEqual({ count, neededAt: now });
  });
});

describe("the number of instances", () => {
  it.each([
    { when: "none is full", before: 1, neededAgo: 0, use: { inFlight: 1 }, count: 1 },
    { when: "one is full", before: 1, neededAgo: 0, use: { inFlight: 2 }, count: 2 },
    { when: "predictions fill many", before: 1, neededAgo: 0, use: { inFlight: 5 }, count: 3 },
    { when: "predictions fill more than there may be", before: 3, neededAgo: 0, use: { inFlight: 50 }, count: 3 },
    { when: "there was need a moment ago", before: 3, neededAgo: 29, use: {}, count: 3 },
    { when: "there was no need for long", before: 3, neededAgo: 30, use: {}, count: 2 },
    { when: "one is used and two are not needed for long", before: 3, neededAgo: 30, use: { inFlight: 1 }, count: 2 },
    { when: "the last was used a moment ago", before: 1, neededAgo: 99, use: { lastUsedAt: ago(29) }, count: 1 },
    {
      when: "the last was asked for a moment ago",
      before: 1,
      neededAgo: 99,
      use: { wakeRequestedAt: ago(2) },
      count: 1,
    },
    { when: "the last was not used for long", before: 1, neededAgo: 99, use: { lastUsedAt: ago(30) }, count: 0 },
    { when: "it sleeps", before: 0, neededAgo: 99, use: { wakeRequestedAt: ago(30) }, count: 0 },
    { when: "it sleeps and is asked for", before: 0, neededAgo: 1, use: { wakeRequestedAt: ago(0) }, count: 1 },
  ])("goes from $before to $count when $when", ({ before, neededAgo, use, count }) => {
    const state = { count: before, neededAt: ago(neededAgo) };
    expect(scale(state, { ...unused, ...use }, config, now).count).toBe(count);
  });

  it("never falls below the minimum", () => {
    const state = { count: 2, neededAt: ago(9_999) };
    expect(scale(state, unused, { ...config, minInstances: 2 }, now).count).toBe(2);
  });

  it("falls one at a time, each after its own idle time", () => {
    const first = scale({ count: 3, neededAt: ago(99) }, unused, config, now);
    expect(scale(first, unused, config, now).count).toBe(2);
  });

  it("falls after a minute where idle_seconds says nothing, and never to none", () => {
    const lasting = { ...config, idleSeconds: 0 };
    const at = (count: number, seconds: number) => scale({ count, neededAt: ago(seconds) }, unused, lasting, now).count;
    expect([at(2, 59), at(2, 60), at(1, 9_999)]).toEqual([2, 1, 1]);
  });
});
