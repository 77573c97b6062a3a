import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PublishedMarks } from "./published-marks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Marks, and the writes that they came to. */
function openMarks(write: () => Promise<void> = async () => undefined) {
  const writes: string[][] = [];
  const marks = new PublishedMarks(async (keys) => {
    await write();
    writes.push(keys);
  });
  return { marks, writes };
}

describe("marks of what is published", () => {
  it("are due when the first of them has waited for a quarter of a second", () => {
    const { marks } = openMarks();
    expect(marks.isDue).toBe(false);
    marks.add(["a"]);
    vi.advanceTimersByTime(200);
    marks.add(["b"]);
    expect(marks.isDue).toBe(false);
    expect(marks.dueInMs).toBe(50);
    vi.advanceTimersByTime(50);
    expect(marks.isDue).toBe(true);
  });

  it("are due at once when there are 256", () => {
    const { marks } = openMarks();
    marks.add(Array.from({ length: 255 }, (_, n) => `${n}`));
    expect(marks.isFull).toBe(false);
    marks.add(["255"]);
    expect([marks.isFull, marks.isDue]).toEqual([true, true]);
  });

  it("become one write, and none where there are none", async () => {
    const { marks, writes } = openMarks();
    marks.add(["a"]);
    marks.add(["a", "b"]);
    await marks.flush();
    await marks.flush();
    expect(writes).toEqual([["a", "b"]]);
    expect([...marks.keys]).toEqual([]);
    expect(marks.dueInMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("stay where the write fails, and are due again later", async () => {
    const outcomes = [Promise.reject(new Error("away")), Promise.resolve()];
    const { marks, writes } = openMarks(() => outcomes.shift() ?? Promise.resolve());
    marks.add(["a"]);
    vi.advanceTimersByTime(250);
    await expect(marks.flush()).rejects.toThrow("away");
    expect(marks.isDue).toBe(false);
    marks.add(["b"]);
    vi.advanceTimersByTime(250);
    expect(marks.isDue).toBe(true);
    await marks.flush();
    expect(writes).toEqual([["a", "b"]]);
  });

  it("that come during the write are kept for the next one", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { marks, writes } = openMarks(() => promise);
    marks.add(["a"]);
    const flushed = marks.flush();
    marks.add(["b"]);
    resolve();
    await flushed;
    expect(writes).toEqual([["a"]]);
    expect([...marks.keys]).toEqual(["b"]);
  });
});
