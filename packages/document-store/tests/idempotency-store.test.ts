import { randomUUID } from "node:crypto";
import {
  type ClientSession,
  createIndexes,
  type DocumentStore,
  IdempotencyKeyReusedError,
  IdempotencyStore,
  RequestInFlightError,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

interface Effect extends TenantDocument {
  what: string;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (answer: Uint8Array) => new TextDecoder().decode(answer);
const wanted = {
  organisationId: "acme",
  operation: "RoleService/CreateRole",
  key: "k",
  request: bytes("reviewer"),
  credentialId: "one",
};

async function open() {
  const store = await openStore();
  await createIndexes(store, [IdempotencyStore.indexes]);
  await store.database.createCollection("effects");
  // Now: the database itself removes what is older than a day.
  const clock = { now: Date.now() };
  return { store, clock, idempotency: idempotencyOf(store, clock), ...effectsIn(store) };
}

function idempotencyOf(store: DocumentStore, clock: { now: number }): IdempotencyStore {
  return new IdempotencyStore(store, { clock: () => new Date(clock.now) });
}

function effectsIn(store: DocumentStore) {
  const effects = new TenantCollection<Effect>(store, "effects");
  return {
    /** Work with an effect, whose answer is the effect's name. */
    effect: (what: string) => async (session: ClientSession) => {
      await effects.insert("acme", { _id: randomUUID(), organisation_id: "acme", what }, { session });
      return bytes(what);
    },
    effects: async () => (await effects.find("acme", {})).map(({ what }) => what).sort(),
  };
}

/** Work that has begun and waits until it is let go. */
function held(work: (session: ClientSession) => Promise<Uint8Array>) {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const waiting = async (session: ClientSession) => {
    const answer = await work(session);
    begun.resolve();
    await gate.promise;
    return answer;
  };
  return { work: waiting, begun: begun.promise, letGo: gate.resolve };
}

describe("a request with a key", () => {
  it("has its effect once and is answered alike when it is sent again", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const first = await idempotency.run(wanted, effect("first"));
    const second = await idempotency.run(wanted, effect("second"));
    expect([text(first.answer), first.isRepeated]).toEqual(["first", false]);
    expect([text(second.answer), second.isRepeated]).toEqual(["first", true]);
    expect(await effects()).toEqual(["first"]);
  });

  it("has its effect once when twenty of it arrive together; who comes too early is told so", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const { work, begun, letGo } = held(effect("made"));
    const twins = Promise.allSettled(Array.from({ length: 20 }, () => idempotency.run(wanted, work)));
    await begun;
    await expect(idempotency.run(wanted, work)).rejects.toThrow(RequestInFlightError);
    letGo();
    const outcomes = await twins;
    const answered = outcomes.filter(({ status }) => status === "fulfilled");
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(answered.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toBeInstanceOf(RequestInFlightError);
    expect(await effects()).toEqual(["made"]);
    expect(await idempotency.run(wanted, work)).toMatchObject({ isRepeated: true });
  });

  it("is prepared once: a repeat is answered whatever has become of what it asked for", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const first = await idempotency.runPrepared(wanted, async () => effect("reviewer"));
    const again = await idempotency.runPrepared(wanted, () => Promise.reject(new Error("what it asked for is gone")));
    expect([text(first.answer), text(again.answer), again.isRepeated]).toEqual(["reviewer", "reviewer", true]);
    expect(await effects()).toEqual(["reviewer"]);
  });

  it("can be sent again when it could not be prepared", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const away = idempotency.runPrepared(wanted, () => Promise.reject(new Error("away")));
    await expect(away).rejects.toThrow("away");
    await idempotency.runPrepared(wanted, async () => effect("reviewer"));
    expect(await effects()).toEqual(["reviewer"]);
  });

  it("may be empty and is answered empty again", async () => {
    const { store, idempotency } = await open();
    await using _ = store;
    await idempotency.run(wanted, async () => new Uint8Array());
    const { answer, isRepeated } = await idempotency.run(wanted, async () => bytes("other"));
    expect([answer.byteLength, isRepeated]).toEqual([0, true]);
  });

  it("is refused when the key was another request's, answered or not", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const { work, begun, letGo } = held(effect("first"));
    const first = idempotency.run(wanted, work);
    await begun;
    const other = { ...wanted, request: bytes("auditor") };
    await expect(idempotency.run(other, effect("second"))).rejects.toThrow(IdempotencyKeyReusedError);
    letGo();
    await first;
    await expect(idempotency.run(other, effect("second"))).rejects.toMatchObject({ field: "idempotency_key" });
    expect(await effects()).toEqual(["first"]);
  });

  it("is refused when the key was another credential's, which alone gets the answer", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    await idempotency.run(wanted, effect("first"));
    const other = { ...wanted, credentialId: "other" };
    await expect(idempotency.run(other, effect("second"))).rejects.toThrow("already used by another credential");
    expect(await idempotency.run(wanted, effect("second"))).toMatchObject({ isRepeated: true });
    expect(await effects()).toEqual(["first"]);
  });

  it("that fails leaves no effect and can be sent again, even changed", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    const failing = async (session: ClientSession) => {
      await effect("half")(session);
      throw new RangeError("the slug is taken");
    };
    await expect(idempotency.run(wanted, failing)).rejects.toThrow(RangeError);
    const changed = { ...wanted, request: bytes("auditor") };
    expect(await idempotency.run(changed, effect("whole"))).toMatchObject({ isRepeated: false });
    expect(await effects()).toEqual(["whole"]);
  });

  it("runs again from its start when another transaction is in the way", async () => {
    const { store, idempotency } = await open();
    await using _ = store;
    const counters = store.database.collection<{ _id: string; count: number }>("counters");
    await counters.insertOne({ _id: "c", count: 0 });
    let runs = 0;
    const increase = async (session: ClientSession) => {
      runs++;
      await counters.updateOne({ _id: "c" }, { $inc: { count: 1 } }, { session });
      return bytes("increased");
    };
    const { work, begun, letGo } = held(increase);
    const first = idempotency.run(wanted, work);
    await begun;
    const inTheWay = Promise.withResolvers<void>();
    const second = idempotency.run({ ...wanted, key: "another" }, async (session) => {
      if (runs > 1) inTheWay.resolve();
      return increase(session);
    });
    await inTheWay.promise;
    letGo();
    expect(await Promise.all([first, second])).toMatchObject([{ isRepeated: false }, { isRepeated: false }]);
    expect(await counters.findOne({ _id: "c" })).toEqual({ _id: "c", count: 2 });
    expect(runs).toBeGreaterThan(2);
  });
});

describe("a request whose process died", () => {
  it("is served when it is sent again half a minute later", async () => {
    const { store, clock, idempotency, effect, effects } = await open();
    await using _ = store;
    const dying = await openStore();
    const there = { ...dying, database: dying.client.db(store.database.databaseName) };
    const { work, begun } = held(effectsIn(there).effect("lost"));
    void idempotencyOf(there, clock)
      .run(wanted, work)
      .catch(() => undefined);
    await begun;
    await dying.close();
    clock.now += 29_999;
    await expect(idempotency.run(wanted, effect("made"))).rejects.toThrow(RequestInFlightError);
    clock.now += 1;
    expect(await idempotency.run(wanted, effect("made"))).toMatchObject({ isRepeated: false });
    expect(await effects()).toEqual(["made"]);
  });

  it("has no effect when the process was only slow and another was faster", async () => {
    const { store, clock, idempotency, effect, effects } = await open();
    await using _ = store;
    const { work, begun, letGo } = held(effect("slow"));
    const slow = idempotency.run(wanted, work);
    await begun;
    clock.now += 30_000;
    await idempotency.run(wanted, effect("fast"));
    letGo();
    await expect(slow).rejects.toThrow(RequestInFlightError);
    expect(await effects()).toEqual(["fast"]);
    expect(text((await idempotency.run(wanted, effect("third"))).answer)).toBe("fast");
  });

  it("is served by one of twenty that send it again", async () => {
    const { store, clock, idempotency, effect, effects } = await open();
    await using _ = store;
    const { work, begun, letGo } = held(effect("slow"));
    const slow = idempotency.run(wanted, work);
    await begun;
    clock.now += 30_000;
    await Promise.allSettled(Array.from({ length: 20 }, () => idempotency.run(wanted, effect("made"))));
    letGo();
    await expect(slow).rejects.toThrow(RequestInFlightError);
    expect(await effects()).toEqual(["made"]);
  });
});

describe("a key", () => {
  it("is one organisation's and one operation's", async () => {
    const { store, idempotency } = await open();
    await using _ = store;
    const others = [
      wanted,
      { ...wanted, organisationId: "globex" },
      { ...wanted, operation: "RoleService/UpdateRole" },
    ];
    for (const [index, other] of others.entries()) {
      const request = bytes(`request ${index}`);
      expect(await idempotency.run({ ...other, request }, async () => request)).toEqual({
        answer: request,
        isRepeated: false,
      });
    }
  });

  it("that is empty is none: every request is served, and nothing is kept", async () => {
    const { store, idempotency, effect, effects } = await open();
    await using _ = store;
    for (const what of ["a", "b"]) await idempotency.run({ ...wanted, key: "" }, effect(what));
    expect(await effects()).toEqual(["a", "b"]);
    expect(await store.database.collection("replays").countDocuments()).toBe(0);
  });

  it("is forgotten after a day, before the database has swept it away", async () => {
    const { store, clock, idempotency, effect, effects } = await open();
    await using _ = store;
    await idempotency.run(wanted, effect("first"));
    clock.now += 24 * 60 * 60 * 1000 - 1;
    expect(await idempotency.run(wanted, effect("second"))).toMatchObject({ isRepeated: true });
    clock.now += 1;
    const changed = { ...wanted, request: bytes("another") };
    expect(await idempotency.run(changed, effect("third"))).toMatchObject({ isRepeated: false });
    expect(await effects()).toEqual(["first", "third"]);
  });

  it("is swept away by the database after a day", async () => {
    const { store } = await open();
    await using _ = store;
    const indexes = await store.database.collection("replays").indexes();
    expect(indexes.find(({ name }) => name === "expiry")).toMatchObject({
      key: { claimed_at: 1 },
      expireAfterSeconds: 86_400,
    });
  });
});
