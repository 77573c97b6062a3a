import {
  DuplicateKeyError,
  TenantCollection,
  type TenantDocument,
  TenantMismatchError,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

interface Pipeline extends TenantDocument {
  name: string;
  version: number;
}

async function openPipelines() {
  const store = await openStore();
  const pipelines = new TenantCollection<Pipeline>(store, "pipelines");
  await pipelines.insert("ours", { _id: "p1", organisation_id: "ours", name: "mnist", version: 1 });
  return { store, pipelines };
}

describe("a tenant's collection", () => {
  it("shows nothing of another organisation, whatever the filter says", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const forged = { _id: "p1", organisation_id: "ours" } as object;
    expect(await pipelines.findOne("theirs", forged)).toBeUndefined();
    expect(await pipelines.find("theirs", { $or: [{ _id: "p1" }, { name: "mnist" }] })).toEqual([]);
    expect(await pipelines.count("theirs", {})).toBe(0);
    expect(await pipelines.findOne("ours", { name: "mnist" })).toMatchObject({ _id: "p1" });
  });

  it("sums over its own documents alone", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    await pipelines.insert("ours", { _id: "p2", organisation_id: "ours", name: "x", version: 4 });
    await pipelines.insert("theirs", { _id: "p3", organisation_id: "theirs", name: "x", version: 8 });
    expect(await pipelines.sum("ours", {}, "$version")).toBe(5);
    expect(await pipelines.sum("ours", { name: "x" }, { $multiply: ["$version", "$version"] })).toBe(16);
    expect(await pipelines.sum("others", {}, "$version")).toBe(0);
  });

  it("counts, picks and gathers from its own documents alone", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const more = ["p2", "p3"].map((_id, version) => ({ _id, organisation_id: "ours", name: "x", version }));
    await pipelines.insertMany("ours", more);
    await pipelines.insert("theirs", { _id: "p4", organisation_id: "theirs", name: "x", version: 8 });
    expect([await pipelines.count("ours", {}), await pipelines.count("ours", {}, { limit: 2 })]).toEqual([3, 2]);
    expect(await pipelines.pick("ours", {}, ["_id", "version"], { sort: { _id: -1 }, limit: 2 })).toEqual([
      { _id: "p3", version: 1 },
      { _id: "p2", version: 0 },
    ]);
    expect(await pipelines.pick("others", {}, ["_id"])).toEqual([]);
    const byName = [{ $group: { _id: "$name", versions: { $sum: "$version" } } }, { $sort: { _id: 1 } }];
    expect(await pipelines.aggregate("ours", {}, byName)).toEqual([
      { _id: "mnist", versions: 1 },
      { _id: "x", versions: 1 },
    ]);
  });

  it("refuses stages that reach another collection", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    for (const stage of [{ $unionWith: "pipelines" }, { $out: "copy" }, { $facet: {} }]) {
      await expect(pipelines.aggregate("ours", {}, [stage])).rejects.toThrow(TenantMismatchError);
    }
  });

  it("changes nothing of another organisation", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    expect(await pipelines.updateOne("theirs", { _id: "p1" }, { $set: { name: "stolen" } })).toBe(false);
    expect(await pipelines.deleteOne("theirs", { _id: "p1" })).toBe(false);
    const taken = { _id: "p1", organisation_id: "theirs", name: "stolen", version: 1 };
    expect(await pipelines.replaceIf("theirs", taken, {})).toBe(false);
    expect(await pipelines.findOne("ours", {})).toMatchObject({ name: "mnist" });
  });

  it("refuses a document or an update that names another organisation", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const foreign = { _id: "p2", organisation_id: "theirs", name: "x", version: 1 };
    await expect(pipelines.insert("ours", foreign)).rejects.toThrow(TenantMismatchError);
    const move = pipelines.updateOne("ours", { _id: "p1" }, { $set: { organisation_id: "theirs" } });
    await expect(move).rejects.toThrow(TenantMismatchError);
    await expect(pipelines.insert("", foreign)).rejects.toThrow(TenantMismatchError);
  });

  it("writes many at once to its own organisation only", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const made = (id: string, owner: string) => ({ _id: id, organisation_id: owner, name: id, version: 1 });
    await pipelines.insertMany("ours", [made("p2", "ours"), made("p3", "ours")]);
    await pipelines.insertMany("theirs", [made("t1", "theirs")]);
    await expect(pipelines.insertMany("ours", [made("p4", "theirs")])).rejects.toThrow(TenantMismatchError);
    await pipelines.updateEach("ours", [
      { filter: { version: 1 }, update: { $inc: { version: 1 } } },
      { filter: { _id: { $in: ["p3", "t1"] } }, update: { $set: { name: "renamed" } } },
    ]);
    const move = [{ filter: {}, update: { $set: { organisation_id: "ours" } } }];
    await expect(pipelines.updateEach("theirs", move)).rejects.toThrow(TenantMismatchError);
    expect(await pipelines.deleteMany("ours", { name: { $ne: "renamed" } })).toBe(2);
    expect(await pipelines.find("ours", {})).toEqual([{ ...made("p3", "ours"), name: "renamed", version: 2 }]);
    expect(await pipelines.find("theirs", {})).toEqual([made("t1", "theirs")]);
  });

  it("lets one of many compare-and-sets win", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const next = (name: string) => ({ _id: "p1", organisation_id: "ours", name, version: 2 });
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, n) => pipelines.replaceIf("ours", next(`n${n}`), { version: 1 })),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
  });

  it("names the index a second document violates", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const refusal = await pipelines
      .insert("ours", { _id: "p1", organisation_id: "ours", name: "again", version: 1 })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DuplicateKeyError);
    expect(refusal).toMatchObject({ index: "_id_", keyPattern: { _id: 1 } });
  });

  it("walks through more documents than one answer holds", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    for (let n = 0; n < 150; n += 1) {
      await pipelines.insert("ours", { _id: `q${n}`, organisation_id: "ours", name: "q", version: n });
    }
    const versions: number[] = [];
    for await (const { version } of pipelines.each("ours", { name: "q" }, { sort: { version: 1 } }))
      versions.push(version);
    expect(versions).toEqual(Array.from({ length: 150 }, (_, n) => n));
  });
});

describe("batches that meet another's transaction again and again", () => {
  it("are conflicts, and no sign that the database is away: it was not asked for a second after twenty of them", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    const holder = store.client.startSession();
    holder.startTransaction();
    await pipelines.updateOne("ours", { _id: "p1" }, { $set: { name: "held" } }, { session: holder });
    for (let count = 0; count < 25; count += 1) {
      const session = store.client.startSession();
      session.startTransaction();
      const batch = pipelines.updateEach("ours", [{ filter: { _id: "p1" }, update: { $inc: { version: 1 } } }], {
        session,
      });
      await expect(batch).rejects.toMatchObject({ cause: { code: 112 } });
      await session.endSession();
    }
    expect(store.breaker.isOpen).toBe(false);
    expect(await pipelines.count("ours", {})).toBe(1);
    await holder.endSession();
  });
});

describe("upserts at the same time of the same new document", () => {
  it("all take effect", async () => {
    const { store, pipelines } = await openPipelines();
    await using _ = store;
    for (const id of ["a", "b", "c", "d", "e"]) {
      const upsert = () => pipelines.updateOne("ours", { _id: id }, { $inc: { version: 1 } }, { upsert: true });
      await Promise.all(Array.from({ length: 20 }, upsert));
      expect(await pipelines.findOne("ours", { _id: id })).toMatchObject({ version: 20 });
    }
  });
});
