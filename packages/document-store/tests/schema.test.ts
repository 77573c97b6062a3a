import {
  type DocumentStore,
  type IndexPlan,
  type Migration,
  openSchema,
  ReplicaLeases,
  type SchemaDeclaration,
  SchemaStore,
  SchemaTooNewError,
} from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

interface Thing {
  _id: string;
  size?: number;
  colour?: string;
}

/** Fills in a field where it is missing. */
function filling(version: number, kind: Migration["kind"], fields: Partial<Thing>): Migration {
  const [field = ""] = Object.keys(fields);
  return {
    ...{ version, kind, name: field },
    batch: async ({ store, after = "", limit }) => {
      const things = store.database.collection<Thing>("things");
      const found = await things.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray();
      const ids = found.map(({ _id }) => _id);
      const { modifiedCount } = await things.updateMany(
        { _id: { $in: ids }, [field]: { $exists: false } },
        { $set: fields },
      );
      return { documents: modifiedCount, after: found.length < limit ? undefined : ids.at(-1) };
    },
  };
}

const plan: IndexPlan = { collection: "things", owner: "installation", indexes: [{ name: "size", key: { size: 1 } }] };
const previous: SchemaDeclaration = { indexes: [plan], migrations: [filling(1, "required_backfill", { size: 1 })] };
const next: SchemaDeclaration = {
  indexes: [{ ...plan, indexes: [{ name: "colour", key: { colour: 1 } }], retired: ["size"] }],
  migrations: [...previous.migrations, filling(2, "required_backfill", { colour: "red" })],
};
const breaking: SchemaDeclaration = {
  ...next,
  migrations: [...next.migrations, filling(3, "conversion", { size: 3 })],
};

const things = ({ database }: DocumentStore) => database.collection<Thing>("things");
const without = (store: DocumentStore, field: keyof Thing) =>
  things(store).countDocuments({ [field]: { $exists: false } });

async function fill(store: DocumentStore, count = 25, from = 0): Promise<void> {
  await things(store).insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: `thing-${String(from + n).padStart(4, "0")}` })),
  );
}

/** Starts a version, and has it do what it can while it serves. */
async function started(store: DocumentStore, declaration: SchemaDeclaration) {
  const schema = await openSchema(store, declaration, { batchSize: 10 });
  const settle = async () => {
    while (await schema.round());
  };
  await settle();
  return { settle, [Symbol.asyncDispose]: () => schema[Symbol.asyncDispose]() };
}

async function indexNames(store: DocumentStore): Promise<(string | undefined)[]> {
  return (await things(store).indexes()).map(({ name }) => name).toSorted();
}

describe("a version that finds documents of the previous one", () => {
  it("migrates them before it answers, in batches, and says so in the database", async () => {
    await using store = await openStore();
    await fill(store);
    const schema = await openSchema(store, next, { batchSize: 10 });
    expect([await without(store, "size"), await without(store, "colour")]).toEqual([0, 0]);
    expect(await new SchemaStore(store).read()).toMatchObject({ version: 2, prepared: 2, minReader: 0 });
    await schema[Symbol.asyncDispose]();
    expect(await new SchemaStore(store).read()).toMatchObject({ replicas: [] });
  });

  it("does so once, whatever the number of its replicas", async () => {
    await using store = await openStore();
    await fill(store);
    let batches = 0;
    const counted = next.migrations.map(
      (migration): Migration => ({
        ...migration,
        batch: (work) => {
          batches += 1;
          return migration.batch(work);
        },
      }),
    );
    const replicas = await Promise.all(
      [1, 2, 3].map(() => openSchema(store, { ...next, migrations: counted }, { batchSize: 10 })),
    );
    expect(await without(store, "colour")).toBe(0);
    expect(batches).toBe(6);
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });

  it("goes on where a replica was killed, once its lease has expired", async () => {
    await using store = await openStore();
    await fill(store);
    const seen: (string | undefined)[] = [];
    const failing = { ...filling(1, "required_backfill", { size: 1 }) };
    const batch: Migration["batch"] = (work) => {
      seen.push(work.after);
      return failing.batch(work);
    };
    const migration: Migration = { ...failing, batch };
    const stored = new SchemaStore(store);
    await stored.renew({ id: "killed", version: 1, indexes: "" }, 1);
    const claimed = await stored.claim({ migration, pass: "final" }, "killed", 300);
    if (!claimed) throw new Error("the step is free");
    await stored.advance({ ...claimed, after: "thing-0009", documents: 10 }, 300);
    const schema = await openSchema(store, { indexes: [], migrations: [migration] }, { batchSize: 10 });
    expect(seen).toEqual(["thing-0009", "thing-0019"]);
    await schema[Symbol.asyncDispose]();
  });

  it("starts again where a batch fails, and lets others go on at once", async () => {
    await using store = await openStore();
    await fill(store);
    const migration = filling(1, "required_backfill", { size: 1 });
    let failures = 1;
    const batch: Migration["batch"] = async (work) => {
      if (work.after && failures-- > 0) throw new Error("a bad document");
      return await migration.batch(work);
    };
    const declaration = { indexes: [], migrations: [{ ...migration, batch }] };
    await expect(openSchema(store, declaration, { batchSize: 10 })).rejects.toThrow("a bad document");
    await using _schema = await openSchema(store, declaration, { batchSize: 10 });
    expect(await without(store, "size")).toBe(0);
  });
});

describe("two versions beside each other", () => {
  it("keep what the previous one needs, and migrate what it has written when it has ended", async () => {
    await using store = await openStore();
    await fill(store);
    const former = await started(store, previous);
    await using newer = await started(store, breaking);
    expect([await without(store, "size"), await without(store, "colour")]).toEqual([0, 0]);
    expect(await things(store).countDocuments({ size: 3 })).toBe(0);
    expect(await indexNames(store)).toEqual(["_id_", "colour", "size"]);
    await fill(store, 5, 100);
    expect(await new SchemaStore(store).read()).toMatchObject({ version: 1, prepared: 3, minReader: 0 });

    await former[Symbol.asyncDispose]();
    await newer.settle();
    expect(await without(store, "colour")).toBe(0);
    expect(await indexNames(store)).toEqual(["_id_", "colour"]);
    expect(await new SchemaStore(store).read()).toMatchObject({ version: 3, minReader: 3 });
  });

  it("wait as well for a replica of a version that does not register", async () => {
    await using store = await openStore();
    await fill(store);
    const states = store.database.collection<{ _id: string; replicas: object[] }>("outbox_state");
    const unregistered = { id: "former", expires_at: new Date(Date.now() + 60_000) };
    await states.insertOne({ _id: "replicas:outbox", replicas: [unregistered] });
    await using newer = await started(store, next);
    expect(await new SchemaStore(store).read()).toMatchObject({ version: 0, prepared: 2 });
    await states.deleteMany({});
    // One that registers counts for itself.
    await new ReplicaLeases(store.database, "outbox").renew(60_000);
    await newer.settle();
    expect(await new SchemaStore(store).read()).toMatchObject({ version: 2 });
  });

  it("count one that was killed until its lease has expired", async () => {
    await using store = await openStore();
    const state = new SchemaStore(store);
    const killed = { id: "killed", version: 1, indexes: "" };
    await state.renew(killed, 60_000);
    await using newer = await started(store, next);
    expect((await state.read()).version).toBe(0);
    await state.renew(killed, 1);
    await eventually(async () => {
      await newer.settle();
      return (await state.read()).version === 2;
    }, "the lease to expire");
  });

  it("have one that was silent, while the other migrated what it needs, answer no longer", async () => {
    await using store = await openStore();
    const state = new SchemaStore(store);
    const silent = { id: "silent", version: 2, indexes: "" };
    await state.renew(silent, 60_000);
    await state.renew(silent, 1);
    await using newer = await started(store, breaking);
    await eventually(async () => {
      await newer.settle();
      return (await state.read()).version === 3;
    }, "the lease to expire");
    await expect(state.renew(silent, 60_000)).rejects.toThrow(SchemaTooNewError);
  });

  it("have the other migrate again what the previous one has written, when that was silent for a while", async () => {
    await using store = await openStore();
    const state = new SchemaStore(store);
    const silent = { id: "silent", version: 1, indexes: "" };
    await state.renew(silent, 60_000);
    await state.renew(silent, 1);
    await using newer = await started(store, next);
    await eventually(async () => {
      await newer.settle();
      return (await state.read()).version === 2;
    }, "the lease to expire");
    await state.renew(silent, 60_000);
    await fill(store, 5);
    await newer.settle();
    expect(await state.read()).toMatchObject({ version: 1, prepared: 2 });
    await fill(store, 5, 100);
    await state.release("silent");
    await newer.settle();
    expect(await without(store, "colour")).toBe(0);
    expect(await state.read()).toMatchObject({ version: 2 });
  });
});

describe("a return to the previous version", () => {
  it("works after migrations that it can read, and the newer one migrates again what it has written", async () => {
    await using store = await openStore();
    await fill(store);
    await (await started(store, next))[Symbol.asyncDispose]();
    expect(await indexNames(store)).toEqual(["_id_", "colour"]);
    const former = await started(store, previous);
    expect(await indexNames(store)).toEqual(["_id_", "colour", "size"]);
    await fill(store, 5, 100);
    await former[Symbol.asyncDispose]();
    await using _newer = await started(store, next);
    expect(await without(store, "colour")).toBe(0);
  });

  it("is refused after one that it cannot read, with what to do", async () => {
    await using store = await openStore();
    await (await started(store, breaking))[Symbol.asyncDispose]();
    const refused = openSchema(store, next);
    await expect(refused).rejects.toThrow(SchemaTooNewError);
    await expect(refused).rejects.toThrow(
      /need a service that knows version 3 .* this one knows version 2: install the release/,
    );
    expect((await new SchemaStore(store).read()).replicas).toEqual([]);
  });
});
