import { randomUUID } from "node:crypto";
import {
  AuthorKind,
  type DataDictionaryEntry,
  DataDictionaryService,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { Outbox } from "@aiplatform/document-store";
import { failureOf, type TestClient } from "@aiplatform/testkit";
import { type Client, Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
const ada = randomUUID();
let person: TestClient;
let program: TestClient;
beforeAll(async () => {
  rig = await ContentRig.start({ replicas: 2 });
  person = rig.member({ memberId: ada });
  program = rig.as();
});
afterAll(async () => rig[Symbol.asyncDispose]());

const unknown = randomUUID();

/** A dataset with these columns; answers its id. */
async function newDataset(...columns: string[]): Promise<string> {
  const { dataset } = await person.client(DatasetService).createDataset({
    name: "sales",
    columns: columns.map((name) => ({ name })),
  });
  return dataset?.id ?? "";
}

/** A call's answer as pairs, and its ETag. */
async function seen(call: (onHeader: (header: Headers) => void) => Promise<{ entries: DataDictionaryEntry[] }>) {
  let etag = "";
  const { entries } = await call((header) => {
    etag = header.get("etag") ?? "";
  });
  return { etag, texts: entries.map(({ name, description }) => [name, description]) };
}

type Patch = { override?: boolean; dryRun?: boolean; ifMatch?: string };
const patch = (caller: TestClient, datasetId: string, texts: [string, string][], options: Patch = {}) => {
  const entries = texts.map(([name, description]) => ({ name, description }));
  return seen((onHeader) =>
    caller.client(DataDictionaryService).patchDataDictionary({ datasetId, entries, ...options }, { onHeader }),
  );
};
const read = (datasetId: string, caller = person) =>
  seen((onHeader) => caller.client(DataDictionaryService).getDataDictionary({ datasetId }, { onHeader }));
const history = (datasetId: string, query: { name?: string; limit?: number; cursor?: string } = {}) =>
  person.client(DataDictionaryService).listDataDictionaryHistory({ datasetId, ...query });

/** Names of the events that are staged for a dataset, in order. */
async function eventsOf(datasetId: string): Promise<string[]> {
  const outbox = rig.store.database.collection(Outbox.indexes.collection);
  const staged = await outbox.find({ entity_id: datasetId }).sort({ _id: 1 }).toArray();
  return staged.map(({ data_schema: name }) => String(name).replace("aiplatform.events.v1.", ""));
}

describe("patching a dictionary", () => {
  it("creates and replaces by exact name, leaves the rest, and answers the whole in the order of first appearance", async () => {
    const id = await newDataset("price", "qty");
    await patch(person, id, [["note", "free text"]]);
    const after = await patch(person, id, [
      ["Price", "another name"],
      ["qty", "pieces"],
    ]);
    expect(after.texts).toEqual([
      ["price", ""],
      ["qty", "pieces"],
      ["note", "free text"],
      ["Price", "another name"],
    ]);
    expect(await read(id)).toEqual(after);
  });

  it("clears a text and keeps its entry", async () => {
    const id = await newDataset();
    await patch(person, id, [["a", "text"]]);
    expect((await patch(person, id, [["a", ""]])).texts).toEqual([["a", ""]]);
  });

  it("with nothing, or nothing new, changes and announces nothing", async () => {
    const id = await newDataset("a");
    const before = await patch(person, id, [["a", "text"]]);
    expect(await patch(person, id, [])).toEqual(before);
    expect(await patch(person, id, [["a", "text"]])).toEqual(before);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DataDictionaryPatched"]);
  });

  it("refuses a name that stands in it twice, at the second place", async () => {
    const id = await newDataset("a");
    const failure = await failureOf(
      patch(person, id, [
        ["b", "1"],
        ["a", "2"],
        ["b", "3"],
        ["b", "4"],
      ]),
    );
    expect(failure).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["entries[2].name", "NAME_REPEATED"],
        ["entries[3].name", "NAME_REPEATED"],
      ],
    });
    expect((await read(id)).texts).toEqual([["a", ""]]);
  });

  it("takes names that could be taken for something else", async () => {
    const id = await newDataset();
    const texts = ["\u0000", "__proto__", "$set", "a.b", "constructor", "ü\u0308 ", '"', "{}"].map(
      (name): [string, string] => [name, "$where"],
    );
    expect((await patch(person, id, texts)).texts).toEqual(texts);
    expect((await read(id)).texts).toEqual(texts);
  });

  it.each(["not a dataset", "x".repeat(300), unknown])("of unknown dataset %s is refused", async (datasetId) => {
    expect(await failureOf(patch(person, datasetId, [["a", ""]]))).toMatchObject({ code: Code.NotFound });
  });

  it("of another organisation's dataset is refused like one of none", async () => {
    const id = await newDataset("a");
    const globex = rig.member({ organisationId: rig.globex });
    for (const datasetId of [id, unknown]) {
      const refused = { code: Code.NotFound, message: "Not found", reason: "NOT_FOUND" };
      expect(await failureOf(patch(globex, datasetId, [["a", "x"]]))).toMatchObject(refused);
      expect(await failureOf(read(datasetId, globex))).toMatchObject(refused);
    }
    expect((await read(id)).texts).toEqual([["a", ""]]);
  });

  it("answers what would be, and changes nothing, as a dry run", async () => {
    const id = await newDataset("a");
    const before = await read(id);
    const dry = await patch(person, id, [["a", "new"]], { dryRun: true });
    expect(dry).toEqual({ etag: before.etag, texts: [["a", "new"]] });
    expect(await read(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual(["DatasetCreated"]);
    expect((await history(id)).changes).toHaveLength(1);
  });

  it("announces each change once, with its version and how many entries are others", async () => {
    const id = await newDataset("a");
    await patch(person, id, [
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DataDictionaryPatched"]);
  });

  it("names the first hundred of ten thousand wrong fields", async () => {
    const entries = Array.from({ length: 5000 }, () => ({}));
    const call = person.client(DataDictionaryService).patchDataDictionary({ datasetId: unknown, entries });
    const failure = await failureOf(call);
    expect([failure.code, failure.fields.length, failure.fields[99]]).toEqual([
      Code.InvalidArgument,
      100,
      ["entries[49].description", "REQUIRED"],
    ]);
  });

  it("refuses more than a dictionary can hold", async () => {
    const id = await newDataset();
    const long = "x".repeat(10_000);
    const part = (start: number) =>
      Array.from({ length: 400 }, (_, index): [string, string] => [`n${start + index}`, long]);
    await patch(person, id, part(0));
    await patch(person, id, part(400));
    expect(await failureOf(patch(person, id, part(800)))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "DICTIONARY_LIMIT",
    });
    expect((await read(id)).texts).toHaveLength(800);
  });
});

describe("a text that a person wrote", () => {
  it("is not replaced by a program, unless that is asked for", async () => {
    const id = await newDataset();
    await patch(person, id, [
      ["a", "a person's"],
      ["b", ""],
    ]);
    const kept = await patch(program, id, [
      ["a", "guessed"],
      ["b", "guessed"],
      ["c", "guessed"],
    ]);
    expect(kept.texts).toEqual([
      ["a", "a person's"],
      ["b", "guessed"],
      ["c", "guessed"],
    ]);
    expect((await patch(program, id, [["a", "guessed"]], { override: true })).texts[0]).toEqual(["a", "guessed"]);
    expect((await patch(program, id, [["a", "again"]])).texts[0]).toEqual(["a", "again"]);
  });

  it("is replaced by another person", async () => {
    const id = await newDataset();
    await patch(person, id, [["a", "ada's"]]);
    expect((await patch(rig.member(), id, [["a", "grace's"]])).texts).toEqual([["a", "grace's"]]);
  });

  it("is not deleted by a program, unless that is asked for", async () => {
    const id = await newDataset();
    await patch(person, id, [["a", "a person's"]]);
    const client = program.client(DataDictionaryService);
    const deletion = { datasetId: id, name: "a" };
    expect(await failureOf(client.deleteDataDictionaryEntry(deletion))).toMatchObject({ reason: "TEXT_OF_A_PERSON" });
    expect((await client.deleteDataDictionaryEntry({ ...deletion, override: true })).entries).toEqual([]);
  });
});

describe("an entity tag", () => {
  it("is another after each change, and the same while there is none", async () => {
    const id = await newDataset("a");
    const tags = [(await read(id)).etag, (await read(id)).etag, (await patch(person, id, [["a", "1"]])).etag];
    tags.push((await read(id, program)).etag, (await patch(person, id, [["a", "2"]])).etag);
    expect(tags[0]).toMatch(/^"[^"]+"$/);
    expect([tags[0] === tags[1], tags[1] === tags[2], tags[2] === tags[3], tags[3] === tags[4]]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("that is old lets nothing be written", async () => {
    const id = await newDataset("a");
    const { etag } = await read(id);
    await patch(person, id, [["a", "1"]], { ifMatch: etag });
    const refused = { code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" };
    expect(await failureOf(patch(person, id, [["a", "2"]], { ifMatch: etag }))).toMatchObject(refused);
    expect(await failureOf(patch(person, id, [["a", "2"]], { ifMatch: etag, dryRun: true }))).toMatchObject(refused);
    const deletion = { datasetId: id, name: "a", ifMatch: etag };
    expect(await failureOf(person.client(DataDictionaryService).deleteDataDictionaryEntry(deletion))).toMatchObject(
      refused,
    );
    expect((await patch(person, id, [["a", "2"]], { ifMatch: `"none", ${(await read(id)).etag}` })).texts).toEqual([
      ["a", "2"],
    ]);
  });

  it("lets one of many writers through", async () => {
    const id = await newDataset("a");
    const { etag } = await read(id);
    const ends = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        patch(rig.member({}, index % 2), id, [["a", `${index}`]], { ifMatch: etag }),
      ),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("deleting an entry", () => {
  it("answers the rest; the name comes back at the end", async () => {
    const id = await newDataset("a", "b");
    const client: Client<typeof DataDictionaryService> = person.client(DataDictionaryService);
    const after = await seen((onHeader) =>
      client.deleteDataDictionaryEntry({ datasetId: id, name: "a" }, { onHeader }),
    );
    expect(after.texts).toEqual([["b", ""]]);
    expect(await read(id)).toEqual(after);
    expect(await eventsOf(id)).toEqual(["DatasetCreated", "DataDictionaryEntryDeleted"]);
    expect((await patch(person, id, [["a", "back"]])).texts).toEqual([
      ["b", ""],
      ["a", "back"],
    ]);
  });

  it.each([
    ["a name that is not there", () => newDataset("a"), "A"],
    ["a dataset that is not there", async () => unknown, "a"],
  ])("of %s is refused", async (_, dataset, name) => {
    const datasetId = await dataset();
    const deletion = person.client(DataDictionaryService).deleteDataDictionaryEntry({ datasetId, name });
    expect(await failureOf(deletion)).toMatchObject({ code: Code.NotFound });
  });
});

describe("the history of a dictionary", () => {
  it("says newest first what was written by whom", async () => {
    const id = await newDataset("a");
    await patch(program, id, [
      ["a", "guessed"],
      ["b", "guessed"],
    ]);
    await patch(person, id, [["a", "known"]]);
    await person.client(DataDictionaryService).deleteDataDictionaryEntry({ datasetId: id, name: "b" });
    const { changes } = await history(id);
    expect(
      changes.map(({ name, previousDescription, description, authorMemberId, authorKind, version }) => {
        return [version, name, previousDescription, description, authorKind, authorMemberId];
      }),
    ).toEqual([
      [4n, "b", "guessed", undefined, AuthorKind.PERSON, ada],
      [3n, "a", "guessed", "known", AuthorKind.PERSON, ada],
      [2n, "b", undefined, "guessed", AuthorKind.PROGRAM, undefined],
      [2n, "a", "", "guessed", AuthorKind.PROGRAM, undefined],
      [1n, "a", undefined, "", AuthorKind.PERSON, ada],
    ]);
    expect(new Set(changes.map(({ id: changeId }) => changeId)).size).toBe(5);
    const ofB = await history(id, { name: "b" });
    expect(ofB.changes).toEqual(changes.filter(({ name }) => name === "b"));
  });

  it("is read to its end in pages, each change once", async () => {
    const id = await newDataset("a", "b", "c");
    for (const text of ["1", "2"]) {
      await patch(
        person,
        id,
        ["a", "b", "c"].map((name): [string, string] => [name, text]),
      );
    }
    const whole = (await history(id)).changes;
    const paged: typeof whole = [];
    let cursor = "";
    do {
      const page = await history(id, { limit: 2, cursor });
      expect(page.changes.length).toBeLessThanOrEqual(2);
      paged.push(...page.changes);
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(9);
    expect(await failureOf(history(id, { cursor: "nonsense" }))).toMatchObject({ reason: "CURSOR_INVALID" });
    expect(await failureOf(history(unknown))).toMatchObject({ code: Code.NotFound });
  });
});

describe("many who write at the same time, on two replicas", () => {
  it("lose nothing, and make one version each", async () => {
    const id = await newDataset("shared");
    const writers = Array.from({ length: 20 }, (_, index) => rig.member({}, index % 2));
    await Promise.all(
      writers.map((caller, index) =>
        patch(caller, id, [
          [`own ${index}`, "x"],
          ["shared", `${index}`],
        ]),
      ),
    );
    const { texts } = await read(id);
    expect(texts.map(([name]) => name).sort()).toEqual(["shared", ...writers.map((_, index) => `own ${index}`)].sort());
    const { changes } = await history(id, { limit: 1_000 });
    expect(new Set(changes.map(({ version }) => version)).size).toBe(21);
    const ofShared = changes.filter(({ name }) => name === "shared").reverse();
    // Each found what the one before had written.
    expect(ofShared.slice(1).map(({ previousDescription }) => previousDescription)).toEqual(
      ofShared.slice(0, -1).map(({ description }) => description),
    );
  });
});

describe("five thousand entries", () => {
  it("are written in one request, and written again", async () => {
    const id = await newDataset();
    const texts = (text: string) =>
      Array.from({ length: 5_000 }, (_, index): [string, string] => [`column ${index}`, `${text} ${index}`]);
    for (const text of ["first", "second"]) {
      expect((await patch(person, id, texts(text))).texts).toEqual(texts(text));
    }
    expect((await read(id)).texts).toEqual(texts("second"));
  });
});
