import { describe, expect, it } from "vitest";
import { FifoMutex } from "./fifo-mutex.ts";

describe("a mutex", () => {
  it("is held by one ticket at a time, in the order of asking, and skips a ticket that was disposed of", async () => {
    const mutex = new FifoMutex();
    const [first, second, third] = [mutex.ticket(), mutex.ticket(), mutex.ticket()];
    const seen: string[] = [];
    await first.acquire();
    const waiting = [second.acquire().then(() => seen.push("second")), third.acquire().then(() => seen.push("third"))];
    second[Symbol.dispose]();
    expect(seen).toEqual([]);
    first[Symbol.dispose]();
    await Promise.all(waiting);
    expect(seen).toEqual(["second", "third"]);
  });
});
