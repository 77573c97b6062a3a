import { randomUUID } from "node:crypto";
import {
  createIndexes,
  type DocumentStore,
  type IndexPlan,
  ownedCollections,
  removeOrganisation,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

interface Thing {
  _id: string;
  organisation_id: string;
  stays?: true;
}

const byOrganisation = { key: { organisation_id: 1 as const, name: 1 as const } };
const indexed: IndexPlan = { collection: "indexed", owner: "organisation", indexes: [byOrganisation] };
const plain: IndexPlan = { collection: "plain", owner: "organisation", keptAfterDeletion: "stays", indexes: [] };
const ofNone: IndexPlan = { collection: "of_none", owner: "installation", indexes: [] };
const plans = [indexed, plain, ofNone];
const collections = ownedCollections(plans);
/** More than one command removes, or looks at. */
const many = 6_000;

const things = (store: DocumentStore, name: string) => store.database.collection<Thing>(name);
const idsOf = async (store: DocumentStore, name: string, organisationId: string) =>
  (await things(store, name).find({ organisation_id: organisationId }).toArray()).map(({ _id }) => _id);

async function fill(store: DocumentStore, organisationId: string, count: number): Promise<void> {
  for (const name of ["indexed", "plain", "of_none"]) {
    const made = Array.from({ length: count }, () => ({ _id: randomUUID(), organisation_id: organisationId }));
    await things(store, name).insertMany(made);
  }
}

describe("the collections that organisations have documents in", () => {
  const partial = { ...byOrganisation, partialFilterExpression: { open: true } };
  const later = { key: { name: 1 as const, organisation_id: 1 as const } };

  it("are those that are declared so, each once, and indexed where every document is found by its organisation", () => {
    const twice: IndexPlan = { collection: "plain", owner: "organisation", indexes: [partial, later] };
    expect(ownedCollections([...plans, twice])).toEqual([
      { name: "indexed", isIndexed: true, kept: undefined },
      { name: "plain", isIndexed: false, kept: "stays" },
    ]);
  });
});

describe("removing an organisation", () => {
  it("removes every document that it has in them, and nothing of another one", async () => {
    await using store = await openStore();
    await createIndexes(store, plans);
    await fill(store, "acme", many);
    await fill(store, "globex", 10);
    const signal = new AbortController().signal;
    expect(await removeOrganisation(store, { collections, organisationId: "acme" }, signal)).toBe(2 * many);
    for (const name of ["indexed", "plain"]) {
      expect(await idsOf(store, name, "acme")).toEqual([]);
      expect(await idsOf(store, name, "globex")).toHaveLength(10);
    }
    expect(await idsOf(store, "of_none", "acme")).toHaveLength(many);
    expect(await removeOrganisation(store, { collections, organisationId: "acme" }, signal)).toBe(0);
  });

  it("leaves what tells of the deletion", async () => {
    await using store = await openStore();
    await things(store, "plain").insertMany([
      { _id: "a", organisation_id: "acme", stays: true },
      { _id: "b", organisation_id: "acme" },
    ]);
    await removeOrganisation(store, { collections, organisationId: "acme" }, new AbortController().signal);
    expect(await idsOf(store, "plain", "acme")).toEqual(["a"]);
  });

  it("sends no command that removes where nothing is left, so that a login without that right is not refused", async () => {
    await using store = await openStore();
    await things(store, "plain").insertOne({ _id: "a", organisation_id: "acme", stays: true });
    await store.database.command({ profile: 2 });
    await removeOrganisation(store, { collections, organisationId: "acme" }, new AbortController().signal);
    await store.database.command({ profile: 0 });
    const profile = store.database.collection("system.profile");
    expect(await profile.countDocuments({ op: "query" })).toBeGreaterThan(0);
    expect(await profile.countDocuments({ op: "remove" })).toBe(0);
  });

  it("ends between two batches when it is told to, and goes on when it is repeated", async () => {
    await using store = await openStore();
    await createIndexes(store, plans);
    await fill(store, "acme", many);
    const reason = new Error("the process ends");
    const ended = removeOrganisation(store, { collections, organisationId: "acme" }, AbortSignal.abort(reason));
    await expect(ended).rejects.toBe(reason);
    expect(await idsOf(store, "plain", "acme")).toHaveLength(many);
    await removeOrganisation(store, { collections, organisationId: "acme" }, new AbortController().signal);
    expect(await idsOf(store, "plain", "acme")).toEqual([]);
  });
});
