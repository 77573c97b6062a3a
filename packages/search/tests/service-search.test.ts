import { randomUUID } from "node:crypto";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { connectDocumentStore, createIndexes, type DocumentStore } from "@aiplatform/document-store";
import { newTestEnvironment, withoutIndex } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cursorOf,
  noTime,
  type SearchedCollection,
  ServiceSearch,
  searchBackfill,
  searchFields,
  searchIndex,
} from "../src/index.ts";
import { maxSorted } from "../src/search-store.ts";

const boats: SearchedCollection = {
  kind: SearchKind.PIPELINE,
  collection: "boats",
  name: "name",
  texts: ["log"],
  parameters: { pipeline_id: "_id" },
  orderIndex: "newest",
  unarchived: { sunk_at: null },
};
const crew: SearchedCollection = {
  kind: SearchKind.DICTIONARY_ENTRY,
  collection: "crew",
  name: "name",
  texts: [],
  parameters: { dataset_id: "boat_id" },
  orderIndex: "by_id",
  hasTime: false,
};

let store: DocumentStore;
let search: ServiceSearch;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("search");
  store = await connectDocumentStore({ uri, database, appName: "tests" });
  await createIndexes(store, [
    {
      collection: "boats",
      owner: "organisation",
      indexes: [{ name: "newest", key: { organisation_id: 1, created_at: -1, _id: -1 } }, searchIndex],
    },
    {
      collection: "crew",
      owner: "organisation",
      indexes: [{ name: "by_id", key: { organisation_id: 1, _id: 1 } }, searchIndex],
    },
  ]);
  search = new ServiceSearch(store, [boats, crew]);
});
afterAll(async () => {
  await store?.database.dropDatabase();
  await store?.close();
});

const permissions = new Set(["metrics:read", "dictionary:read"]);

/** Names of what an organisation finds on all pages. */
async function namesOf(organisationId: string, words: string[], { limit = 100, more = {}, may = permissions } = {}) {
  const names: string[] = [];
  let cursor = "";
  for (;;) {
    const query = { words, kinds: [], limit, cursor, includeArchived: false, ...more };
    const found = await search.find({ organisationId, permissions: may }, query);
    names.push(...found.map(({ name }) => name));
    const last = found.at(-1);
    if (!last || found.length < limit) return names;
    const { kind, id, createdAt } = last;
    cursor = cursorOf({ kind, id, createdAt: createdAt ? new Date(Number(createdAt.seconds) * 1_000) : noTime });
  }
}

/** Stores boats with these names, the last one the newest, and answers their organisation. */
async function fleet(names: string[], member: (name: string, index: number) => object = () => ({})): Promise<string> {
  const organisation_id = randomUUID();
  const documents = names.map((name, index) => {
    const boat = { name, log: "of the harbour" };
    const created_at = new Date(1_000_000_000_000 + 1_000 * Math.floor(index / 2));
    const stored = { _id: randomUUID() as never, organisation_id, ...boat, created_at, ...searchFields(boats, boat) };
    return { ...stored, ...member(name, index) };
  });
  if (documents.length > 0) await store.database.collection("boats").insertMany(documents);
  return organisation_id;
}

describe("a search in one service", () => {
  it("finds what has all words, by their beginnings", async () => {
    const organisationId = await fleet(["Black Pearl", "Blackbird", "Pearl of Bläck Sea"]);
    expect(await namesOf(organisationId, ["black"])).toHaveLength(3);
    expect((await namesOf(organisationId, ["pear", "black"])).sort()).toEqual(["Black Pearl", "Pearl of Bläck Sea"]);
    expect(await namesOf(organisationId, ["harb", "bird"])).toEqual([]);
  });

  it("finds nothing of another organisation, and nothing that the caller may not read", async () => {
    const [ours, theirs] = [await fleet(["Pearl ours"]), await fleet(["Pearl theirs"])];
    expect(await namesOf(ours, ["pearl"])).toEqual(["Pearl ours"]);
    expect(await namesOf(theirs, ["pearl"])).toEqual(["Pearl theirs"]);
    expect(await namesOf(ours, ["pearl"], { may: new Set(["dictionary:read"]) })).toEqual([]);
  });

  it("leaves out what is archived, unless that is asked for", async () => {
    const organisationId = await fleet(["Pearl a", "Pearl b"], (_name, index) =>
      index ? { sunk_at: new Date() } : {},
    );
    expect(await namesOf(organisationId, ["pearl"])).toEqual(["Pearl a"]);
    expect(await namesOf(organisationId, ["pearl"], { more: { includeArchived: true } })).toHaveLength(2);
  });

  it("has what has no time last", async () => {
    const organisationId = await fleet(["Pearl"]);
    const sailors = ["a", "b", "c"].map((id) => ({
      _id: `${organisationId}/${id}` as never,
      ...{ organisation_id: organisationId, boat_id: "1", name: `Pearl ${id}` },
      ...searchFields(crew, { name: `Pearl ${id}` }),
    }));
    await store.database.collection("crew").insertMany(sailors);
    const order = ["Pearl", "Pearl c", "Pearl b", "Pearl a"];
    for (const limit of [1, 2, 4, 100]) expect(await namesOf(organisationId, ["pearl"], { limit })).toEqual(order);
  });

  it.each([
    ["few", maxSorted],
    ["many", maxSorted + 200],
  ])("answers pages that join without gap or repeat where %s match, by an index", async (_what, count) => {
    const names = Array.from({ length: count }, (_, index) => `Pearl ${index}`);
    const organisationId = await fleet(names);
    const found = await namesOf(organisationId, ["pearl"], { limit: 101 });
    expect(found).toHaveLength(count);
    expect(new Set(found)).toEqual(new Set(names));
    expect(found.slice(0, 2).sort()).toEqual(names.slice(-2).sort());
    const page = { words: ["pearl"], kinds: [], limit: 5, cursor: "", includeArchived: false };
    const ask = () => search.find({ organisationId, permissions }, page);
    expect(await withoutIndex(store, [{ filter: "", orderBy: "" }], ask)).toEqual([]);
  });

  it("finds what an earlier version stored, once that is migrated", async () => {
    const organisationId = await fleet(["Old pearl"]);
    await store.database
      .collection("boats")
      .updateMany({ organisation_id: organisationId }, { $unset: { search_words: 1 } });
    expect(await namesOf(organisationId, ["pearl"])).toEqual([]);
    const { batch } = searchBackfill([crew, boats]);
    const { signal } = new AbortController();
    for (let after: string | undefined = "0:"; after !== undefined; ) {
      ({ after } = await batch({ store, limit: 2, signal, after }));
    }
    expect(await namesOf(organisationId, ["pearl"])).toEqual(["Old pearl"]);
  });
});
