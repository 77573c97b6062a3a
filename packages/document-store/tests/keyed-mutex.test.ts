import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DocumentStore, KeyedMutex, withTransaction } from "../src/index.ts";
import { openStore } from "./open-store.ts";

let store: DocumentStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

describe("transactions that take turns", () => {
  /** Runs transactions that take the turns named, and answers what happened in order. */
  const orderOf = async (...keys: string[]) => {
    const mutex = new KeyedMutex();
    const happened: string[] = [];
    const run = (key: string, index: number) =>
      withTransaction(store, async (session) => {
        await mutex.acquire(key, session);
        await mutex.acquire(key, session);
        happened.push(`begins ${index}`);
        await store.database.collection("turns").findOne({}, { session });
        happened.push(`ends ${index}`);
        if (index === 0) throw new Error("the first fails");
      });
    await Promise.allSettled(keys.map(run));
    return happened;
  };

  it("go one after the other in the order in which they came, also when one fails", async () => {
    expect(await orderOf("a", "a", "a")).toEqual(["begins 0", "ends 0", "begins 1", "ends 1", "begins 2", "ends 2"]);
  });

  it("wait for none that takes another", async () => {
    expect((await orderOf("a", "b", "c")).slice(0, 3)).toEqual(["begins 0", "begins 1", "begins 2"]);
  });
});
