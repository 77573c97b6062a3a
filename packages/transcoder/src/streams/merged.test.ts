import { describe, expect, it } from "vitest";
import { merged } from "./merged.ts";

/** A source whose items come when they are sent, and which says what was asked of it. */
function source<T>() {
  const state = { asked: 0, isLeft: false };
  const queue: PromiseWithResolvers<IteratorResult<T>>[] = [];
  let [read, written] = [0, 0];
  const at = (index: number) => {
    queue[index] ??= Promise.withResolvers();
    return queue[index];
  };
  const items: AsyncIterable<T> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        state.asked += 1;
        return at(read++).promise;
      },
      async return() {
        state.isLeft = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const send = (...values: T[]) => {
    for (const value of values) at(written++).resolve({ done: false, value });
  };
  return { items, state, send, end: () => at(written++).resolve({ done: true, value: undefined }) };
}

/** What can happen by itself has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("merged sources", () => {
  it("are read as their items arrive, and end when all have ended", async () => {
    const [one, other] = [source<string>(), source<string>()];
    const reader = merged([one.items, other.items]);
    const first = reader.next();
    other.send("b1");
    expect((await first).value).toBe("b1");
    one.send("a1");
    one.end();
    expect((await reader.next()).value).toBe("a1");
    const last = reader.next();
    other.end();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it("take turns: one that always has something does not keep others from being read", async () => {
    const [busy, quiet] = [source<string>(), source<string>()];
    busy.send(...Array.from({ length: 10 }, (_, index) => `busy ${index}`));
    quiet.send("quiet 0");
    const reader = merged([busy.items, quiet.items]);
    const seen = [await reader.next(), await reader.next(), await reader.next()].map(({ value }) => value);
    expect(seen).toEqual(["busy 0", "quiet 0", "busy 1"]);
    await reader.return();
  });

  it("are not asked for more than one item that waits, however slow the reader is", async () => {
    const { items, state, send } = source<number>();
    send(...Array.from({ length: 100 }, (_, index) => index));
    const reader = merged([items]);
    await reader.next();
    await settled();
    expect(state.asked).toBe(1);
    await reader.next();
    await settled();
    expect(state.asked).toBe(2);
    await reader.return();
  });

  it("are left when the reader leaves, those with an item that waits and those that have just been read", async () => {
    const [read, waiting] = [source<number>(), source<number>()];
    read.send(1);
    waiting.send(2);
    const reader = merged([read.items, waiting.items]);
    await reader.next();
    await reader.return();
    await settled();
    expect([read.state.isLeft, waiting.state.isLeft]).toEqual([true, true]);
  });

  it("of which there is none end at once", async () => {
    expect(await Array.fromAsync(merged([]))).toEqual([]);
  });
});
