import { describe, expect, it } from "vitest";
import { refreshed } from "./refreshed.ts";

const times = { freshForMs: 1_000, usableForMs: 10_000, retryAfterMs: 100 };

/** A value that counts how often it was read, and a clock that is set. */
function counted() {
  const state = { time: 0, reads: 0, isAway: false };
  const read = async () => {
    state.reads += 1;
    if (state.isAway) throw new Error("away");
    return state.reads;
  };
  return { state, get: refreshed(read, { ...times, now: () => new Date(state.time) }) };
}

describe("what is read and refreshed", () => {
  it("is read once for all who need it at the same time, and while it is fresh", async () => {
    const { state, get } = counted();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    state.time = 1_000;
    expect(await get()).toBe(1);
  });

  it("is read again when it is no longer fresh", async () => {
    const { state, get } = counted();
    await get();
    state.time = 1_001;
    expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  });

  it("stays as it was while it cannot be read again, and is asked for now and then", async () => {
    const { state, get } = counted();
    await get();
    Object.assign(state, { time: 2_000, isAway: true });
    expect([await get(), await get(), state.reads]).toEqual([1, 1, 2]);
    state.time = 2_101;
    expect([await get(), state.reads]).toEqual([1, 3]);
    Object.assign(state, { time: 2_202, isAway: false });
    expect(await get()).toBe(4);
  });

  it("is not used any longer than it may be", async () => {
    const { state, get } = counted();
    await get();
    Object.assign(state, { time: 10_001, isAway: true });
    await expect(get()).rejects.toThrow("away");
    await expect(get()).rejects.toThrow("away");
  });

  it("that was never read is asked for each time", async () => {
    const { state, get } = counted();
    state.isAway = true;
    await expect(get()).rejects.toThrow("away");
    state.isAway = false;
    expect(await get()).toBe(2);
  });
});
