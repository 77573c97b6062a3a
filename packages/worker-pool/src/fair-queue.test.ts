import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** Items are called by their organisation and a number. */
function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item.slice(0, 1), item);
  return queue;
}

function drained(queue: FairQueue<string>, mayBeServed?: (organisationId: string) => boolean): string[] {
  const order: string[] = [];
  for (let item = queue.shift(mayBeServed); item; item = queue.shift(mayBeServed)) order.push(item);
  return order;
}

describe("a fair queue", () => {
  it.each([
    [
      ["a1", "a2", "a3", "b1"],
      ["a1", "b1", "a2", "a3"],
    ],
    [
      ["a1", "a2", "b1", "b2", "c1"],
      ["a1", "b1", "c1", "a2", "b2"],
    ],
    [[], []],
  ])("of %j serves %j", (items, order) => {
    expect(drained(queueOf(...items))).toEqual(order);
  });

  it("puts an organisation that comes back behind those that wait", () => {
    const queue = queueOf("a1", "b1");
    expect(queue.shift()).toBe("a1");
    queue.push("a", "a2");
    expect(drained(queue)).toEqual(["b1", "a2"]);
  });

  it("passes by organisations that may not be served", () => {
    const queue = queueOf("a1", "a2", "b1");
    expect(drained(queue, (organisationId) => organisationId !== "a")).toEqual(["b1"]);
    expect([queue.length, queue.lengthOf("a"), queue.lengthOf("b")]).toEqual([2, 2, 0]);
  });
});
