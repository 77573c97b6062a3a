import { describe, expect, it } from "@jest/globals";
import { Turn } from "./turn.ts";

describe("a turn", () => {
  it("goes to one ticket at a time, in the order of asking, and skips a ticket that was disposed of", async () => {
    const turn = new Turn();
    const [first, second, third] = [turn.ticket(), turn.ticket(), turn.ticket()];
    const seen: string[] = [];
    await first.come();
    const waiting = [second.come().then(() => seen.push("second")), third.come().then(() => seen.push("third"))];
    second[Symbol.dispose]();
    expect(seen).toEqual([]);
    first[Symbol.dispose]();
    await Promise.all(waiting);
    expect(seen).toEqual(["second", "third"]);
  });
});
