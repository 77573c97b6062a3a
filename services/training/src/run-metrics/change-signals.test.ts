import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { pause } from "./change-signals.ts";

describe("a stream that pauses between its events", () => {
  it("holds no abort listener for the events before", async () => {
    const { signal } = new AbortController();
    for (let event = 0; event < 200; event++) await pause(0.1, signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("stops to pause when its caller leaves", async () => {
    const caller = new AbortController();
    const pausing = pause(60_000, caller.signal);
    caller.abort();
    await pausing;
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });
});
