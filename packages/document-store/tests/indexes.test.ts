import {
  createIndexes,
  type DocumentStore,
  IndexConflictError,
  type IndexPlan,
  Outbox,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

const things = { collection: "things", owner: "installation" } as const;
const previous: IndexPlan = { ...things, indexes: [{ name: "times", key: { at: 1 }, expireAfterSeconds: 3_600 }] };
const next: IndexPlan = {
  ...things,
  indexes: [
    { name: "times_of_done", key: { at: 1 }, partialFilterExpression: { done: true }, expireAfterSeconds: 3_600 },
  ],
  retired: ["times"],
};

async function namesIn({ database }: DocumentStore, collection: string): Promise<(string | undefined)[]> {
  return (await database.collection(collection).indexes()).map(({ name }) => name).toSorted();
}

describe("an index that a new version replaces", () => {
  it("is there under its new name, and gone under the old one, with the documents of the previous version", async () => {
    await using store = await openStore();
    await createIndexes(store, [previous]);
    const documents = Array.from({ length: 50 }, (_, n) => ({ at: new Date(), done: n % 2 === 0 }));
    await store.database.collection("things").insertMany(documents);
    await createIndexes(store, [next]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
    const found = store.database.collection("things").find({ done: true, at: { $gt: new Date(0) } });
    expect(await found.hint("times_of_done").toArray()).toHaveLength(25);
  });

  it("is made again by the previous version when that starts, and dropped by the next start of the new one", async () => {
    await using store = await openStore();
    await createIndexes(store, [next]);
    await createIndexes(store, [previous]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times", "times_of_done"]);
    await createIndexes(store, [next]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
  });

  it("is replaced once by replicas that start together", async () => {
    await using store = await openStore();
    await createIndexes(store, [previous]);
    await Promise.all([createIndexes(store, [next]), createIndexes(store, [next]), createIndexes(store, [next])]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
  });

  it("stays where the new one cannot be built", async () => {
    await using store = await openStore();
    await createIndexes(store, [previous]);
    await store.database.collection("things").insertMany([{ at: 1 }, { at: 1 }]);
    const unique: IndexPlan = {
      ...things,
      indexes: [{ name: "one", key: { at: 1 }, unique: true }],
      retired: ["times"],
    };
    await expect(createIndexes(store, [unique])).rejects.toThrow("a document with the same key exists already");
    expect(await namesIn(store, "things")).toEqual(["_id_", "times"]);
  });

  it("needs a new name", async () => {
    await using store = await openStore();
    const same: IndexPlan = { ...previous, retired: ["times"] };
    await expect(createIndexes(store, [same])).rejects.toThrow(IndexConflictError);
  });
});

describe("the outbox of a version that indexed every record for its retention", () => {
  it("is taken over with what it holds", async () => {
    await using store = await openStore();
    const earlier: IndexPlan = {
      collection: "outbox",
      owner: "organisation",
      indexes: [
        { name: "unpublished", key: { staged_at: 1, _id: 1 }, partialFilterExpression: { published: false } },
        { name: "retention", key: { published_at: 1 }, expireAfterSeconds: 7 * 24 * 3600 },
      ],
    };
    await createIndexes(store, [earlier]);
    const outbox = new Outbox(store);
    const facts = { type: "t", organisationId: "o", entityId: "e", dataSchema: "s", time: new Date() };
    const records = ["a", "b", "c"].map((id) => ({ id, ...facts, data: new Uint8Array([1]) }));
    await outbox.stage(undefined, ...records);
    await outbox.markPublished(["a"]);
    await createIndexes(store, [Outbox.indexes]);
    expect(await namesIn(store, "outbox")).toEqual(["_id_", "retention_of_published", "unpublished"]);
    expect((await outbox.pending(10)).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await outbox.republish({ since: new Date(0) })).toBe(1);
    await createIndexes(store, [earlier]);
    expect(await outbox.depth()).toBe(3);
  });
});
