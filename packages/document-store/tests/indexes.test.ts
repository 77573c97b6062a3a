import {
  createIndexes,
  type DocumentStore,
  dropReplacedIndexes,
  IndexConflictError,
  type IndexPlan,
  Outbox,
  StoreUnavailableError,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { describe, expect, it, vi } from "vitest";
import { createRequiredIndexes, persistently } from "../src/schema/indexes.ts";
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

/** A start of that version, with no replica of another one beside. */
async function start(store: DocumentStore, plan: IndexPlan): Promise<void> {
  await createIndexes(store, [plan]);
  await dropReplacedIndexes(store, [plan]);
}

describe("an index that a new version replaces", () => {
  it("is there under its new name, and gone under the old one, with the documents of the previous version", async () => {
    await using store = await openStore();
    await start(store, previous);
    const documents = Array.from({ length: 50 }, (_, n) => ({ at: new Date(), done: n % 2 === 0 }));
    await store.database.collection("things").insertMany(documents);
    await start(store, next);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
    const found = store.database.collection("things").find({ done: true, at: { $gt: new Date(0) } });
    expect(await found.hint("times_of_done").toArray()).toHaveLength(25);
  });

  it("stays while the previous version may run", async () => {
    await using store = await openStore();
    await start(store, previous);
    await createIndexes(store, [next]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times", "times_of_done"]);
  });

  it("is made again by the previous version when that starts, and dropped by the next start of the new one", async () => {
    await using store = await openStore();
    await start(store, next);
    await start(store, previous);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times", "times_of_done"]);
    await start(store, next);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
  });

  it("is replaced once by replicas that start together", async () => {
    await using store = await openStore();
    await start(store, previous);
    await Promise.all([start(store, next), start(store, next), start(store, next)]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "times_of_done"]);
  });

  it("stays where the new one cannot be built", async () => {
    await using store = await openStore();
    await start(store, previous);
    await store.database.collection("things").insertMany([{ at: 1 }, { at: 1 }]);
    const unique: IndexPlan = {
      ...things,
      indexes: [{ name: "one", key: { at: 1 }, unique: true }],
      retired: ["times"],
    };
    await expect(start(store, unique)).rejects.toThrow("a document with the same key exists already");
    expect(await namesIn(store, "things")).toEqual(["_id_", "times"]);
  });
});

describe("an index that is declared otherwise under the same name", () => {
  const plain: IndexPlan = { ...things, indexes: [{ name: "name", key: { name: 1 } }] };
  const unique: IndexPlan = { ...things, indexes: [{ name: "name", key: { name: 1 }, unique: true }] };

  it("is built beside the former one, which goes when nothing needs it", async () => {
    await using store = await openStore();
    await start(store, plain);
    await createIndexes(store, [unique]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "name", expect.stringMatching(/^name~[0-9a-f]{8}$/)]);
    await start(store, unique);
    expect(await namesIn(store, "things")).toEqual(["_id_", expect.stringMatching(/^name~[0-9a-f]{8}$/)]);
  });

  it("is called by its declared name in errors", async () => {
    await using store = await openStore();
    await start(store, plain);
    await start(store, unique);
    const collection = new TenantCollection<TenantDocument & { _id: string; name: string }>(store, "things");
    await collection.insert("o", { _id: "1", organisation_id: "o", name: "same" });
    const second = collection.insert("o", { _id: "2", organisation_id: "o", name: "same" });
    await expect(second).rejects.toMatchObject({ name: "DuplicateKeyError", index: "name" });
  });

  it("answers queries that name it as it is declared", async () => {
    await using store = await openStore();
    await start(store, plain);
    await start(store, unique);
    const collection = new TenantCollection<TenantDocument & { _id: string; name: string }>(store, "things");
    await collection.insert("o", { _id: "1", organisation_id: "o", name: "one" });
    expect(await collection.find("o", {}, { hint: "name" })).toHaveLength(1);
    expect(await collection.count("o", {}, { hint: "name" })).toBe(1);
    expect(await collection.pick("o", {}, ["name"], { hint: "name" })).toEqual([{ name: "one" }]);
  });

  it("goes back when the previous version comes back", async () => {
    await using store = await openStore();
    await start(store, plain);
    await start(store, unique);
    await start(store, plain);
    expect(await namesIn(store, "things")).toEqual(["_id_", "name"]);
  });

  it("keeps its documents for as long as the newest start says", async () => {
    await using store = await openStore();
    const expiring = (expireAfterSeconds: number): IndexPlan => ({
      ...things,
      indexes: [{ name: "times", key: { at: 1 }, expireAfterSeconds }],
    });
    await start(store, expiring(60));
    await start(store, expiring(3_600));
    const [, index] = await store.database.collection("things").indexes();
    expect(index).toMatchObject({ name: "times", expireAfterSeconds: 3_600 });
  });

  it("leaves indexes alone that no version has declared", async () => {
    await using store = await openStore();
    const collection = store.database.collection("things");
    await collection.createIndex({ name: 1 }, { name: "by_hand", collation: { locale: "de" } });
    await start(store, plain);
    await start(store, unique);
    expect(await namesIn(store, "things")).toEqual(["_id_", "by_hand", expect.stringMatching(/^name~/)]);
  });
});

describe("an index that is built while the service answers", () => {
  it("is not waited for by the start", async () => {
    await using store = await openStore();
    const plan: IndexPlan = {
      ...things,
      indexes: [{ key: { at: 1 } }, { key: { size: 1 }, isBuiltWhileServing: true }],
    };
    await createRequiredIndexes(store, [plan]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "at_1"]);
    await createIndexes(store, [plan]);
    expect(await namesIn(store, "things")).toEqual(["_id_", "at_1", "size_1"]);
  });

  it("is none on which correctness rests", async () => {
    await using store = await openStore();
    const plan: IndexPlan = { ...things, indexes: [{ key: { at: 1 }, unique: true, isBuiltWhileServing: true }] };
    await expect(createIndexes(store, [plan])).rejects.toThrow(IndexConflictError);
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
    await start(store, Outbox.indexes);
    expect(await namesIn(store, "outbox")).toEqual(["_id_", "retention_of_published", "unpublished"]);
    expect((await outbox.pending(10)).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await outbox.republish({ since: new Date(0) })).toBe(1);
    await createIndexes(store, [earlier]);
    expect(await outbox.depth()).toBe(3);
  });
});

describe("a start during which the database is away", () => {
  /** Calls that find the database away, twice, after so long each. */
  async function interrupted(afterMs: number): Promise<string> {
    await using store = await openStore();
    const systemNow = performance.now.bind(performance);
    let passedMs = 0;
    let failures = 2;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => systemNow() + passedMs);
    const call = async () => {
      passedMs += afterMs;
      if (failures-- > 0) throw new StoreUnavailableError("away");
      return "prepared";
    };
    try {
      return await persistently(store, { collection: "things", waitMs: 100 }, call);
    } finally {
      clock.mockRestore();
    }
  }

  it("goes on when it was answered for hours before", async () => {
    expect(await interrupted(3_600_000)).toBe("prepared");
  });

  it("gives up when it was not", async () => {
    await expect(interrupted(1)).rejects.toThrow("away");
  });
});
