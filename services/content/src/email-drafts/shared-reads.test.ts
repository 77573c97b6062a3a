import { describe, expect, it } from "vitest";
import { SharedReads } from "./shared-reads.ts";

/** Reads that are counted, and answer when they are told to. */
function readsOf(windowMs: number) {
  const shared = new SharedReads<number>(windowMs);
  let count = 0;
  const read = (key = "draft") => shared.read(key, async () => ++count);
  return { shared, read, count: () => count };
}

describe("reads that are shared", () => {
  it("are one for all who ask for the same within a window, and one for each other thing", async () => {
    const { read, count } = readsOf(60_000);
    expect(await Promise.all([read(), read(), read("other"), read()])).toEqual([1, 1, 2, 1]);
    expect(await read()).toBe(1);
    expect(count()).toBe(2);
  });

  it("are made again after the window", async () => {
    const { read } = readsOf(0);
    let last = await read();
    while (last === 1) {
      await new Promise(setImmediate);
      last = await read();
    }
    expect(last).toBe(2);
  });

  it("fail for all who share them, and not for who comes after the window", async () => {
    const { shared, read } = readsOf(0);
    const failing = () => shared.read("draft", () => Promise.reject(new Error("away")));
    await expect(Promise.all([failing(), failing()])).rejects.toThrow("away");
    for (let answer: number | undefined; answer === undefined; ) {
      await new Promise(setImmediate);
      answer = await read().catch(() => undefined);
    }
  });

  it("wait for a slow answer instead of asking again", async () => {
    const { shared, read, count } = readsOf(0);
    const slow = Promise.withResolvers<number>();
    const first = shared.read("draft", () => slow.promise);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    const second = read();
    slow.resolve(7);
    expect(await Promise.all([first, second])).toEqual([7, 7]);
    expect(count()).toBe(0);
  });
});
