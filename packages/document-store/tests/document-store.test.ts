import { createServer } from "node:net";
import {
  connectDocumentStore,
  createIndexes,
  StoreUnavailableError,
  UnsuitableStoreError,
  withTransaction,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

describe("connecting to a server that is not there", () => {
  it("says so as often as it asks, then gives up with a sentence that holds no password", async () => {
    const said: string[] = [];
    const logger = { info: () => undefined, warn: (_: object, message: string) => void said.push(message) };
    const port = await closedPort();
    const uri = `mongodb://user:secret@127.0.0.1:${port}/`;
    const failure = await connectDocumentStore({ uri, database: "x", appName: "x", logger, waitMs: 4_000 }).catch(
      String,
    );
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/^MongoDB at 127\.0\.0\.1:\d+ does not answer as a replica set with a primary$/);
    expect(failure).toContain("gave up");
    expect([...said, failure].join()).not.toContain("secret");
  });

  it("refuses an address that is none", async () => {
    const attempt = connectDocumentStore({ uri: "http://x:secret@y", database: "x", appName: "x" });
    await expect(attempt).rejects.toThrow(UnsuitableStoreError);
    await expect(attempt).rejects.toThrow(/^MONGODB_URI is not a MongoDB address/);
  });
});

describe("a document store", () => {
  it("answers a ping, and within the caller's timeout", async () => {
    await using store = await openStore();
    await store.ping();
    await expect(store.ping(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  });

  it("acknowledges writes by majority and journal", async () => {
    await using store = await openStore();
    expect(store.database.writeConcern).toMatchObject({ w: "majority", journal: true });
    expect(store.database.readConcern).toMatchObject({ level: "majority" });
  });
});

describe("creating indexes", () => {
  const things = { collection: "things", owner: "installation" as const };
  const plan = [{ ...things, indexes: [{ key: { name: 1 as const }, unique: true }] }];

  it("can be repeated, and by several replicas at once", async () => {
    await using store = await openStore();
    await Promise.all([createIndexes(store, plan), createIndexes(store, plan)]);
    await createIndexes(store, plan);
    const indexes = await store.database.collection("things").indexes();
    expect(indexes.map(({ name }) => name)).toEqual(["_id_", "name_1"]);
  });
});

describe("a transaction", () => {
  it("is repeated when another one was faster, and keeps both effects", async () => {
    await using store = await openStore();
    const counters = store.database.collection<{ _id: string; n: number }>("counters");
    await counters.insertOne({ _id: "c", n: 0 });
    const increase = () =>
      withTransaction(store, async (session) => {
        const counter = await counters.findOne({ _id: "c" }, { session });
        await counters.updateOne({ _id: "c" }, { $set: { n: (counter?.n ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 8 }, increase));
    expect(await counters.findOne({ _id: "c" })).toMatchObject({ n: 8 });
  });

  it("is repeated as well when the conflict arrives as an error of ours", async () => {
    await using store = await openStore();
    const things = store.database.collection<{ _id: string; n: number }>("things");
    await things.insertOne({ _id: "t", n: 0 });
    let attempts = 0;
    await withTransaction(store, async (session) => {
      attempts += 1;
      await things.findOne({ _id: "t" }, { session });
      if (attempts === 1) await things.updateOne({ _id: "t" }, { $set: { n: 1 } });
      await things.updateOne({ _id: "t" }, { $inc: { n: 1 } }, { session }).catch((cause: unknown) => {
        throw new StoreUnavailableError("conflict", { cause });
      });
    });
    expect(attempts).toBe(2);
    expect(await things.findOne({ _id: "t" })).toMatchObject({ n: 2 });
  });
});
