import { describe, expect, it } from "vitest";
import { PendingTracker } from "./pending-tracker.ts";

const at = (seconds: number) => new Date(1_000 * seconds);

describe("what a hub is busy with", () => {
  it("began when it was first heard of", () => {
    const watch = new PendingTracker();
    expect(watch.since("ada/", "stop", at(1))).toEqual(at(1));
    expect(watch.since("ada/", "stop", at(9))).toEqual(at(1));
  });

  it("begins again when something else was heard of in between", () => {
    const watch = new PendingTracker();
    watch.since("ada/", "stop", at(1));
    expect(watch.since("ada/", "spawn", at(2))).toEqual(at(2));
    expect(watch.since("ada/", undefined, at(3))).toEqual(at(3));
    expect(watch.since("ada/", "spawn", at(4))).toEqual(at(4));
  });

  it("is kept apart by server", () => {
    const watch = new PendingTracker();
    watch.since("ada/", "stop", at(1));
    expect(watch.since("grace/", "stop", at(2))).toEqual(at(2));
  });

  it("is forgotten of the one that was first seen longest ago, when there are too many", () => {
    const watch = new PendingTracker();
    for (let number = 0; number <= 10_000; number += 1) watch.since(`user-${number}/`, "stop", at(1));
    expect(watch.since("user-1/", "stop", at(2))).toEqual(at(1));
    expect(watch.since("user-0/", "stop", at(2))).toEqual(at(2));
  });
});
