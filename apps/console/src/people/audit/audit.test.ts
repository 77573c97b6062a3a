import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../../api/platform.ts";
import { csvField, exportRecords, maxRecords } from "./audit-export.ts";
import { auditQuery, localTime, readAuditSearch, utcTime } from "./audit-search.ts";

const record: AuditRecord = {
  id: "7d0c",
  organisation_id: "0b8f",
  at: "2026-03-02T09:00:00.000Z",
  actor: { member_id: "0c51", credential_id: "session:1" },
  action: "identity.role.created",
  outcome: "done",
  reason: null,
  rpc: null,
  entity_id: "e1",
  request_id: "r,1",
  source_address: null,
  count: null,
  request_id_source: "platform",
  details: null,
};

describe("the address of the audit log", () => {
  it("becomes parameters of the API", () => {
    const search = readAuditSearch({ member: "m1", outcome: "refused", since: "2026-03-02T09:00:00.000Z", page: 4 });
    expect(auditQuery(search)).toEqual({
      member_id: "m1",
      outcome: "refused",
      since: "2026-03-02T09:00:00.000Z",
    });
  });

  it("asks for no outcome that there is not", () => {
    expect(auditQuery({ outcome: "maybe" })).toEqual({});
  });

  it("has times in UTC, which the form shows in the zone of the viewer", () => {
    const utc = "2026-03-02T09:30:00.000Z";
    expect(utcTime(localTime(utc))).toBe(utc);
    expect([localTime(undefined), localTime("soon"), utcTime("")]).toEqual(["", "", undefined]);
  });
});

describe("an export of the audit log", () => {
  it("has one JSON object a line, of all pages", async () => {
    const pages = [
      { items: [record], next: "2" },
      { items: [{ ...record, id: "7d0d" }], next: undefined },
    ];
    const counts: number[] = [];
    const { parts, count, isCut } = await exportRecords({
      format: "ndjson",
      read: async (cursor) => pages[cursor === undefined ? 0 : 1] ?? { items: [], next: undefined },
      onProgress: (each) => counts.push(each),
    });
    const lines = parts.join("").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["7d0c", "7d0d"]);
    expect([count, isCut, counts]).toEqual([2, false, [1, 2]]);
  });

  it("is a table with a head, in which commas and quotes do no harm", async () => {
    const { parts } = await exportRecords({
      format: "csv",
      read: async () => ({ items: [record, { ...record, details: { columns: ["email"] } }], next: undefined }),
      onProgress: () => {},
    });
    const [head, line, other] = parts.join("").split("\r\n");
    expect(head).toMatch(/^at,member_id,credential_id,action,outcome,.*,details$/);
    const plain = '2026-03-02T09:00:00.000Z,0c51,session:1,identity.role.created,done,,,e1,"r,1",platform,,,7d0c,';
    expect(line).toBe(plain);
    expect(other).toBe(`${plain}"{""columns"":[""email""]}"`);
  });

  it("ends at its bound, and says that there is more", async () => {
    const items = Array.from({ length: 60_000 }, () => record);
    const file = await exportRecords({
      format: "csv",
      read: async () => ({ items, next: "more" }),
      onProgress: () => {},
    });
    expect([file.count, file.isCut]).toEqual([maxRecords, true]);
  });
});

describe("a field of a table", () => {
  it.each([
    [null, ""],
    [3, "3"],
    ["plain", "plain"],
    ['say "a"', '"say ""a"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["@cmd,x", '"\'@cmd,x"'],
  ])("is no formula and no column of its own: %j", (value, field) => {
    expect(csvField(value)).toBe(field);
  });
});
