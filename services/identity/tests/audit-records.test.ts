import { randomUUID } from "node:crypto";
import {
  connectDocumentStore,
  createIndexes,
  type DocumentStore,
  InvalidCursorError,
  type Page,
} from "@aiplatform/document-store";
import { dropDatabase, newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRecord } from "../src/audit-records/audit-record.ts";
import { AuditRecordStore } from "../src/audit-records/audit-record-store.ts";

let store: DocumentStore;
let records: AuditRecordStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("identity");
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  await createIndexes(store, [AuditRecordStore.indexes]);
  records = new AuditRecordStore(store);
});
afterAll(async () => {
  await dropDatabase(store);
  await store.close();
});

const start = Date.parse("2026-01-02T03:04:05.000Z");

function record(second: number, fields: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: `${String(second).padStart(4, "0")}-${randomUUID()}`,
    organisationId: "o1",
    installation: false,
    at: new Date(start + 1_000 * second),
    action: "identity.role.created",
    outcome: "done",
    ...fields,
  };
}

const firstPage = { limit: 100, cursor: "" };
const idsOf = ({ items }: Pick<Page<AuditRecord>, "items">) => items.map(({ id }) => id);

describe("appending to the audit log", () => {
  it("keeps what is there already as it is, and adds the rest of the batch", async () => {
    const organisationId = randomUUID();
    const [known, added] = [record(1, { organisationId }), record(2, { organisationId })];
    await records.append([known], 0);
    await records.append([{ ...known, action: "forged" }, added], 0);
    const page = await records.list(organisationId, {}, firstPage);
    expect(page.items.map(({ id, action }) => [id, action])).toEqual([
      [added.id, "identity.role.created"],
      [known.id, "identity.role.created"],
    ]);
  });

  it("keeps what else is told of an event, and ends a page early where that is long", async () => {
    const organisationId = randomUUID();
    const details = JSON.stringify({ columns: ["x".repeat(3_000_000)] });
    const large = [1, 2, 3].map((second) => record(second, { organisationId, details }));
    await records.append(large, 0);
    const sizes: number[] = [];
    for (let cursor = "", page = 0; page === 0 || (cursor !== "" && page < large.length); page++) {
      const { items, nextCursor } = await records.list(organisationId, {}, { ...firstPage, cursor });
      expect(items.every((item) => item.details === details)).toBe(true);
      sizes.push(items.length);
      cursor = nextCursor;
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(large.length);
  });

  it("does not take another failure for a repeat", async () => {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("identity");
    await using elsewhere = await connectDocumentStore({ uri, database, appName: "identity tests" });
    const capped = { validator: { action: { $ne: "refused by the database" } } };
    await elsewhere.database.createCollection("audit_records", capped);
    const strict = new AuditRecordStore(elsewhere);
    const known = record(1);
    await strict.append([known], 0);
    await expect(strict.append([known, record(2, { action: "refused by the database" })], 0)).rejects.toThrow();
    await dropDatabase(elsewhere);
  });

  it("says when a record may be erased, and says nothing where it is kept for ever", async () => {
    const [kept, passing] = [record(1), record(2)];
    await records.append([kept], 0);
    await records.append([passing], 30);
    const documents = await store.database
      .collection<{ _id: string; erase_at?: Date }>("audit_records")
      .find({ _id: { $in: [kept.id, passing.id] } }, { sort: { at: 1 } })
      .toArray();
    const inThirtyDays = new Date(passing.at.getTime() + 30 * 24 * 3_600_000);
    expect(documents.map(({ erase_at }) => erase_at)).toEqual([undefined, inThirtyDays]);
  });

  it("is all that the store can do to it", async () => {
    const methods = Object.getOwnPropertyNames(AuditRecordStore.prototype).toSorted();
    expect(methods).toEqual(["append", "constructor", "list", "listOfInstallation"]);
    const organisationId = randomUUID();
    const original = record(1, { organisationId, memberId: "m1" });
    await records.append([original], 0);
    const before = await records.list(organisationId, {}, firstPage);
    await records.append([{ ...original, memberId: "m2", organisationId: randomUUID() }], 1);
    await records.list(organisationId, { memberId: "m2" }, firstPage);
    await records.listOfInstallation({ action: "x" }, firstPage);
    expect(await records.list(organisationId, {}, firstPage)).toEqual(before);
  });
});

describe("who chose a request id", () => {
  it("is kept as it was said, and not made up where an earlier version said nothing", async () => {
    const organisationId = randomUUID();
    const of = (second: number, fields: Partial<AuditRecord>) =>
      record(second, { organisationId, requestId: "q1", ...fields });
    await records.append([of(1, {}), of(2, { requestIdSource: "caller" }), of(3, { requestIdSource: "platform" })], 0);
    const { items } = await records.list(organisationId, { requestId: "q1" }, firstPage);
    expect(items.map(({ requestIdSource }) => requestIdSource)).toEqual(["platform", "caller", undefined]);
  });
});

describe("reading the audit log", () => {
  const organisationId = randomUUID();
  const all = [
    record(1, { organisationId, memberId: "m1", requestId: "q1", entityId: "e1" }),
    record(2, { organisationId, credentialId: "k1", requestId: "q2", entityId: "e1" }),
    record(3, { organisationId, memberId: "m1", outcome: "refused", action: "mesh.call.refused" }),
    record(4, { organisationId, memberId: "m2", installation: true, credentialId: "operator" }),
  ];
  const numbersOf = (page: Pick<Page<AuditRecord>, "items">) =>
    idsOf(page).map((id) => all.findIndex((one) => one.id === id) + 1);
  beforeAll(() => records.append([...all, record(2), record(3, { organisationId: "", installation: true })], 0));

  it.each([
    ["nothing", {}, [4, 3, 2, 1]],
    ["a member", { memberId: "m1" }, [3, 1]],
    ["a credential", { credentialId: "k1" }, [2]],
    ["an action", { action: "identity.role.created" }, [4, 2, 1]],
    ["an outcome", { outcome: "refused" as const }, [3]],
    ["an entity", { entityId: "e1" }, [2, 1]],
    ["a request", { requestId: "q2" }, [2]],
    ["a time, inclusive", { since: new Date(start + 3_000) }, [4, 3]],
    ["a time, exclusive", { until: new Date(start + 3_000) }, [2, 1]],
    ["several", { memberId: "m1", since: new Date(start + 2_000), until: new Date(start + 4_000) }, [3]],
  ])("restricted by %s answers the organisation's own, newest first", async (_title, filter, expected) => {
    expect(numbersOf(await records.list(organisationId, filter, firstPage))).toEqual(expected);
  });

  it("of the installation finds what the operator did and what concerns no organisation", async () => {
    const page = await records.listOfInstallation({}, firstPage);
    expect(page.items.every(({ installation }) => installation)).toBe(true);
    expect(page.items.map((one) => one.organisationId)).toEqual(expect.arrayContaining([organisationId, ""]));
  });

  it("goes page by page through records of one moment, while new ones arrive", async () => {
    const busy = randomUUID();
    const moment = Array.from({ length: 25 }, () => record(5, { organisationId: busy }));
    await records.append(moment, 0);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await records.list(busy, {}, { limit: 10, cursor });
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
      await records.append([record(60, { organisationId: busy })], 0);
    } while (cursor !== "");
    expect(seen).toEqual(idsOf({ items: moment }).toSorted().toReversed());
  });

  it("takes no cursor that is none of its own", async () => {
    await expect(records.list(organisationId, {}, { limit: 1, cursor: "x" })).rejects.toThrow(InvalidCursorError);
  });

  it.each([
    ["nothing", {}],
    ["a member", { memberId: "m1" }],
    ["a credential", { credentialId: "k1" }],
    ["an action", { action: "a" }],
    ["an outcome", { outcome: "refused" as const }],
    ["an entity", { entityId: "e1" }],
    ["a request", { requestId: "q1" }],
  ])("restricted by %s walks an index and sorts nothing", async (_title, filter) => {
    const stages = await stagesOf(() => records.list(organisationId, filter, firstPage));
    expect(stages).toContain("IXSCAN");
    expect(stages).not.toContain("SORT");
    expect(stages).not.toContain("COLLSCAN");
  });
});

/** How the database would answer what the store asks, taken from the server's own profile. */
async function stagesOf(ask: () => Promise<unknown>): Promise<string> {
  const { database } = store;
  await database.setProfilingLevel("all");
  await ask();
  await database.setProfilingLevel("off");
  const [last] = await database
    .collection("system.profile")
    .find({ op: "query", ns: `${database.databaseName}.audit_records` }, { sort: { ts: -1 }, limit: 1 })
    .toArray();
  return String(last?.["planSummary"]) + String(last?.["hasSortStage"] ? " SORT" : "");
}
