import { randomUUID } from "node:crypto";
import { createIndexes, type DocumentStore, Leases, type TenantDocument } from "@aiplatform/document-store";
import { until } from "@aiplatform/local-platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServerClock } from "../src/server-clock.ts";
import { openStore } from "./open-store.ts";

const leaseMs = 60_000;
const hourMs = 3_600_000;

interface Parcel extends TenantDocument {
  open: boolean;
  number: number;
  due_at?: Date;
  holder?: string | null;
  failures?: number;
  lease?: { holder: string; until: Date } | null;
}

let store: DocumentStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store[Symbol.asyncDispose]());

let collection: string;
let leases: Leases<Parcel, number>;
const parcels = () => store.database.collection<Parcel>(collection);
const stored = (id: string) => parcels().findOne({ _id: id });
const ago = (ms: number) => new Date(Date.now() - ms);

function leasesOf(of: DocumentStore): Leases<Parcel, number> {
  const fields = { holder: "holder", expiresAt: "due_at", failures: "failures" };
  return new Leases<Parcel, number>(of, { collection, fields, wanted: { open: true }, read: ({ number }) => number });
}

beforeEach(async () => {
  collection = `parcels_${randomUUID()}`;
  const key = { organisation_id: 1, due_at: 1 } as const;
  await createIndexes(store, [
    { collection, owner: "organisation", indexes: [{ key, partialFilterExpression: { open: true } }] },
  ]);
  leases = leasesOf(store);
});

/** Parcels that are due, of one organisation; the first is due for the longest time. */
async function due(count: number, of: Partial<Parcel> = {}): Promise<string[]> {
  const organisation_id = of.organisation_id ?? randomUUID();
  const made = Array.from({ length: count }, (_, number) => {
    const due_at = ago(hourMs - number);
    return { _id: randomUUID(), open: true, number, due_at, holder: null, ...of, organisation_id };
  });
  await parcels().insertMany(made);
  return made.map(({ _id }) => _id);
}

async function claimed(holder: string, ms: number = leaseMs) {
  const claim = await leases.claim({ holder, leaseMs: ms });
  if (!claim) throw new Error("nothing was due");
  return claim;
}

describe("leases whose wanted documents are told by the path of the expiry", () => {
  it("are refused: a claim asks for that path itself, and would take every document", () => {
    const fields = { holder: "holder", expiresAt: "due_at" };
    const options = { collection, fields, wanted: { due_at: { $exists: true } }, read: ({ number }: Parcel) => number };
    expect(() => new Leases<Parcel, number>(store, options)).toThrow(
      new TypeError("wanted names due_at, which a claim would overwrite"),
    );
  });
});

describe("a look whether something is due", () => {
  const of = { organisation_id: "ours" };
  const inMs = (ms: number) => new Date(Date.now() + ms);
  const timed = () =>
    new Leases<Parcel, number>(store, {
      ...{ collection, wanted: { open: true }, read: ({ number }: Parcel) => number, hasTimeIndex: true },
      fields: { holder: "holder", expiresAt: "due_at" },
    });

  it("takes nothing, and is one query", async () => {
    expect(await leases.dueInMs()).toBeUndefined();
    const [id = ""] = await due(1, of);
    expect(await profiled(() => leases.dueInMs())).toHaveLength(1);
    expect(await leases.dueInMs()).toBe(0);
    expect((await stored(id))?.holder).toBeNull();
    expect(await leases.dueInMs({ exceptOrganisations: ["ours"] })).toBeUndefined();
  });

  it("tells of a lease that has expired, and of a document that never had one", async () => {
    await due(1, { holder: "gone" });
    expect(await leases.dueInMs()).toBe(0);
    await parcels().deleteMany({});
    await parcels().insertOne({ _id: randomUUID(), organisation_id: "ours", open: true, number: 0 });
    expect([await leases.dueInMs(), await timed().dueInMs()]).toEqual([0, 0]);
  });

  it("tells when the first of them will be due, where the leases know times", async () => {
    await due(1, { ...of, due_at: inMs(hourMs) });
    await due(1, { due_at: inMs(60_000) });
    await due(1, { open: false });
    expect(await leases.dueInMs()).toBeUndefined();
    const first = (await timed().dueInMs()) ?? 0;
    expect(first).toBeGreaterThan(30_000);
    expect(first).toBeLessThanOrEqual(60_000);
    await due(1, of);
    expect(await timed().dueInMs()).toBe(0);
    expect(await timed().dueInMs({ exceptOrganisations: ["ours"] })).toBeGreaterThan(30_000);
  });
});

describe("a claim", () => {
  it("takes what is due for the longest time, for as long as the lease lasts", async () => {
    const [first, second] = await due(2);
    expect(await claimed("a")).toMatchObject({ id: first, holder: "a", failures: 0, work: 0 });
    expect(await claimed("b")).toMatchObject({ id: second, work: 1 });
    expect(await leases.claim({ holder: "c", leaseMs })).toBeUndefined();
    const { holder, due_at } = (await stored(first ?? "")) ?? {};
    expect(holder).toBe("a");
    expect(Math.abs((due_at?.getTime() ?? 0) - Date.now() - leaseMs)).toBeLessThan(10_000);
  });

  it("leaves what is not due yet, and what no work is wanted on", async () => {
    await due(1, { due_at: new Date(Date.now() + hourMs) });
    await due(1, { open: false });
    expect(await leases.claim({ holder: "a", leaseMs })).toBeUndefined();
  });

  it("gives each document to one of many who ask at once", async () => {
    await due(20);
    const asked = Array.from({ length: 40 }, (_, index) => leases.claim({ holder: `h${index}`, leaseMs }));
    const claims = (await Promise.all(asked)).filter((claim) => claim !== undefined);
    expect(new Set(claims.map(({ id }) => id)).size).toBe(20);
    expect(claims).toHaveLength(20);
  });

  it("takes over what a process left that is gone, with the failures that were counted", async () => {
    const [id] = await due(1, { holder: "gone", failures: 3 });
    expect(await claimed("a")).toMatchObject({ id, holder: "a", failures: 3 });
  });

  it("is one query where nothing was due before, and finds what is due since", async () => {
    const look = () => leases.claim({ holder: "a", leaseMs });
    expect(await look()).toBeUndefined();
    expect(await profiled(look)).toHaveLength(1);
    const [first, second] = await due(2);
    expect([(await claimed("a")).id, (await claimed("b")).id]).toEqual([first, second]);
  });

  it("leaves the organisations that are excepted", async () => {
    await due(1, { organisation_id: "busy" });
    expect(await leases.claim({ holder: "a", leaseMs, exceptOrganisations: ["busy"] })).toBeUndefined();
    const [id] = await due(1);
    expect(await leases.claim({ holder: "a", leaseMs, exceptOrganisations: ["busy"] })).toMatchObject({ id });
  });
});

describe("a claim of a holder that works on something already", () => {
  it("leaves that alone although its lease has expired", async () => {
    const [own = ""] = await due(2);
    await claimed("a", 0);
    expect(await leases.claim({ holder: "a2", leaseMs, exceptIds: [own] })).toMatchObject({ work: 1 });
    expect(await leases.claim({ holder: "a3", leaseMs, exceptIds: [own] })).toBeUndefined();
    expect(await leases.claim({ holder: "b", leaseMs })).toMatchObject({ id: own });
  });
});

describe("organisations of which one has ten thousand documents due", () => {
  it("take turns, and each claim reads a few keys of an index and not all that is due", async () => {
    await due(10_000, { organisation_id: "noisy", due_at: ago(hourMs) });
    await due(2, { organisation_id: "first" });
    await due(1, { organisation_id: "second" });
    const turns: string[] = [];
    for (let count = 0; count < 6; count += 1) turns.push((await claimed(`h${count}`)).organisationId);
    expect(new Set(turns.slice(0, 3))).toEqual(new Set(["first", "noisy", "second"]));
    expect(turns.filter((organisation) => organisation === "noisy")).toHaveLength(3);

    const calls = await profiled(() => leases.claim({ holder: "last", leaseMs, exceptOrganisations: ["noisy"] }));
    expect(calls.length).toBeGreaterThan(0);
    for (const { keysExamined } of calls) expect(keysExamined).toBeLessThan(20);
  });
});

/** What the database noted of the calls that are made meanwhile. */
async function profiled(work: () => Promise<unknown>): Promise<{ keysExamined: number }[]> {
  await store.client.db(store.database.databaseName).command({ profile: 2 });
  try {
    await work();
  } finally {
    await store.client.db(store.database.databaseName).command({ profile: 0 });
  }
  const noted = store.database.collection<{ keysExamined: number }>("system.profile");
  return await noted.find({ ns: `${store.database.databaseName}.${collection}` }).toArray();
}

describe("a holder", () => {
  it("keeps its lease by renewing it", async () => {
    await due(1);
    const claim = await claimed("a", 0);
    expect(await leases.renew(claim, leaseMs)).toBe("held");
    expect(await leases.claim({ holder: "b", leaseMs })).toBeUndefined();
  });

  it("whose lease was taken neither renews nor releases, and its fence matches nothing", async () => {
    const [id = ""] = await due(1);
    const gone = await claimed("a", 0);
    const own = await claimed("b");
    expect(await leases.renew(gone, leaseMs)).toBe("taken");
    expect(await leases.release(gone)).toBe(false);
    const late = await parcels().updateOne({ _id: id, ...leases.fence("a") }, { $set: { number: -1 } });
    expect(late.matchedCount).toBe(0);
    expect(await stored(id)).toMatchObject({ holder: own.holder, number: 0 });
  });

  it("that ended its work, or whose document is gone, learns from a renewal that the work has ended", async () => {
    const [id = ""] = await due(1);
    const claim = await claimed("a");
    await parcels().updateOne({ _id: id, ...leases.fence("a") }, { $set: { open: false, holder: null } });
    expect(await leases.renew(claim, leaseMs)).toBe("ended");
    await parcels().deleteOne({ _id: id });
    expect(await leases.renew(claim, leaseMs)).toBe("ended");
  });

  it("that releases lets others claim at once, or after a pause, with the failures it counted", async () => {
    const [id = ""] = await due(1);
    await leases.release(await claimed("a"));
    const again = await claimed("b");
    expect(again).toMatchObject({ id, failures: 0 });
    await leases.release(again, { afterMs: hourMs, failures: 1 });
    expect(await leases.claim({ holder: "c", leaseMs })).toBeUndefined();
    expect(await stored(id)).toMatchObject({ holder: null, failures: 1 });
  });

  it("begins work with its lease, and frees it in writes of its own", async () => {
    const organisation_id = randomUUID();
    const made = { _id: randomUUID(), organisation_id, open: true, number: 7 };
    await parcels().insertOne(made);
    await parcels().updateOne({ _id: made._id }, { $set: leases.taken({ holder: "a", leaseMs }) });
    expect(await leases.claim({ holder: "b", leaseMs })).toBeUndefined();
    await parcels().updateOne({ _id: made._id, ...leases.fence("a") }, { $set: leases.freed(ago(0)) });
    expect(await claimed("b")).toMatchObject({ id: made._id, failures: 0, work: 7 });
  });
});

describe("a replica that holds many leases", () => {
  const held = () => leases.held("replica").then((numbers) => numbers.toSorted((a, b) => a - b));

  it("renews and releases all of them, and no other's", async () => {
    await due(3);
    for (let count = 0; count < 2; count += 1) await claimed("replica", 0);
    await leases.renewAll({ holder: "replica", leaseMs });
    const other = await claimed("other");
    expect(await held()).toEqual([0, 1]);
    await leases.releaseAll("replica");
    expect(await held()).toEqual([]);
    expect(await leases.renew(other, leaseMs)).toBe("held");
  });

  it("acquires one by its id where that is free, expired or its own", async () => {
    const [id = ""] = await due(1);
    const ref = { organisationId: (await stored(id))?.organisation_id ?? "", id };
    expect(await leases.acquire(ref, { holder: "replica", leaseMs })).toMatchObject({ id });
    expect(await leases.acquire(ref, { holder: "replica", leaseMs: 0 })).toMatchObject({ id });
    expect(await leases.acquire(ref, { holder: "other", leaseMs })).toMatchObject({ holder: "other" });
    expect(await leases.acquire(ref, { holder: "replica", leaseMs })).toBeUndefined();
    expect(await leases.acquire({ ...ref, organisationId: "another" }, { holder: "other", leaseMs })).toBeUndefined();
  });
});

describe("a lease that is a member of its own", () => {
  it.each([
    ["null", { lease: null }],
    ["missing", {}],
    ["one of a replica that is gone", { lease: { holder: "gone", until: ago(hourMs) } }],
  ])("is taken where it is %s, and null again once it is released", async (_, of) => {
    const fields = { holder: "lease.holder", expiresAt: "lease.until", member: "lease" };
    const own = new Leases<Parcel, Parcel>(store, { collection, fields, wanted: {}, read: (parcel) => parcel });
    const [id = ""] = await due(1, of);
    const claim = await own.claim({ holder: "a", leaseMs });
    expect(claim).toMatchObject({ id, work: { lease: { holder: "a" } } });
    expect(await own.claim({ holder: "b", leaseMs })).toBeUndefined();
    if (claim) expect(await own.release(claim)).toBe(true);
    expect(await stored(id)).toMatchObject({ lease: null });
  });
});

describe("a replica whose clock is two hours ahead", () => {
  it("neither takes a lease that is valid nor gives itself one for longer", async () => {
    const ahead = { system: () => Date.now() + 2 * hourMs, monotonic: () => performance.now() };
    const clock = ServerClock.of(store.client, ahead);
    const otherwise = () => new Error("the primary sent no heartbeat");
    await until(() => clock.aheadMs, { withinMs: 20_000, everyMs: 50, otherwise });
    const wrong = leasesOf({ ...store, now: clock.now });
    const [id = ""] = await due(2);
    await claimed("right");
    expect(await wrong.claim({ holder: "wrong", leaseMs })).toMatchObject({ work: 1 });
    expect(await wrong.claim({ holder: "wrong", leaseMs })).toBeUndefined();
    const ends = (await parcels().find({}).toArray()).map(({ due_at }) => due_at?.getTime() ?? 0);
    for (const end of ends) expect(end).toBeLessThan(Date.now() + leaseMs + 10_000);
    expect(await stored(id)).toMatchObject({ holder: "right" });
  });
});
