import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const get = (path: string) => ask(platform, { path });
const post = (path: string, body: Json = {}) => ask(platform, { path, body });

const header = "id,country,price,late,day";
const orders = [
  header,
  "9007199254740993,NO,10.5,true,2026-03-01",
  "2,SE,,false,2026-03-02",
  "3,NO,7.25,true,2026-03-03",
  "4,DK,99,false,2026-03-04",
  "",
].join("\n");

describe("a version of a dataset", () => {
  let versions: string;
  let version: Json;
  beforeAll(async () => {
    ({ versions } = await data.dataset(`Orders ${randomUUID()}`));
    version = await data.ready(versions, orders, { name: "orders.csv" });
  });
  const rows = (query = "") => get(`${versions}/${version.id}/rows${query}`);

  it("is ready with columns and the number of rows once its files are read", () => {
    expect(version).toMatchObject({ number: 1, state: "ready", row_count: 4, problem: null });
    expect(version.files).toMatchObject([{ name: "orders.csv", format: "csv", size_bytes: orders.length }]);
    const kinds = version.columns.map(({ name, kind }: Json) => `${name} ${kind}`);
    expect(kinds).toEqual(["id integer", "country string", "price number", "late boolean", "day date"]);
  });

  it("answers its rows in the order of the file, with all digits", async () => {
    const { status, body } = await rows();
    expect([status, body.length, body[0].id]).toEqual([200, 4, "9007199254740993"]);
    expect(body[1]).toEqual({ id: 2, country: "SE", price: null, late: false, day: "2026-03-02" });
  });

  it("answers its rows page by page, without one twice or missing", async () => {
    const seen: string[] = [];
    let path = `${versions}/${version.id}/rows?limit=3&columns=country`;
    for (let pages = 0; path !== "" && pages < 5; pages++) {
      const { body, headers } = await get(path);
      seen.push(...body.map(({ country }: Json) => country));
      path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      if (path.startsWith("http")) path = path.slice(new URL(path).origin.length);
    }
    expect(seen).toEqual(["NO", "SE", "NO", "DK"]);
  });

  const found: readonly (readonly [filter: string, countries: string[]])[] = [
    ['country = "NO" AND price > 8', ["NO"]],
    ["id = 9007199254740993", ["NO"]],
    ["NOT price:*", ["SE"]],
    ["NOT price > 8", ["SE", "NO"]],
    ["day >= 2026-03-03", ["NO", "DK"]],
    ["late = false", ["SE", "DK"]],
  ];
  it.each(found)("finds rows by %s", async (filter, countries) => {
    const { status, body } = await rows(`?filter=${encodeURIComponent(filter)}`);
    expect([status, body.map(({ country }: Json) => country)]).toEqual([200, countries]);
  });

  it("orders by a column, with missing values last", async () => {
    const { body } = await rows("?order_by=price%20desc&columns=price");
    expect(body.map(({ price }: Json) => price)).toEqual([99, 10.5, 7.25, null]);
  });

  it("answers the same sample for the same seed", async () => {
    const [one, again] = [await rows("?sample=2&seed=7"), await rows("?sample=2&seed=7")];
    expect(one.body).toHaveLength(2);
    expect(again.body).toEqual(one.body);
  });

  const refused: readonly (readonly [query: string, place: string, type: string])[] = [
    ["?filter=colour%20%3D%20red", "filter", "filter_invalid"],
    ["?order_by=colour", "order_by", "order_by_invalid"],
    ["?columns=colour", "columns", "column_unknown"],
    ["?sample=2&offset=1", "sample", "not_together"],
    ["?cursor=next", "cursor", "cursor_invalid"],
    ["?limit=0", "limit", "greater_than_equal"],
  ];
  it.each(refused)("refuses rows %s at its place", async (query, place, type) => {
    const { status, body } = await rows(query);
    expect([status, body.detail[0].loc[1], body.detail[0].type]).toEqual([422, place, type]);
  });

  it("answers what its columns hold, the second time from what was kept", async () => {
    const path = `${versions}/${version.id}/statistics`;
    const { status, body } = await get(path);
    const price = body.columns.find(({ name }: Json) => name === "price");
    expect([status, body.row_count]).toEqual([200, 4]);
    expect(price).toMatchObject({ kind: "number", null_count: 1, distinct_count: 3, min: 7.25, max: 99 });
    const country = body.columns.find(({ name }: Json) => name === "country");
    expect(country.top_values[0]).toEqual({ value: "NO", count: 2 });
    expect((await get(path)).body).toEqual(body);
  });

  it("is downloaded as the Parquet file that its digest names, and by ranges", async () => {
    const headers = { authorization: `Bearer ${platform.bearer}` };
    const url = `${platform.gateway}${versions}/${version.id}/content`;
    const answer = await fetch(url, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(version.content_sha256);
    expect([bytes.length, bytes.subarray(0, 4).toString()]).toEqual([version.size_bytes, "PAR1"]);
    const part = await fetch(url, { headers: { ...headers, range: "bytes=-4" } });
    expect([part.status, await part.text()]).toEqual([206, "PAR1"]);
  });

  it("shares its data with a version of the same file, which is ready at once", async () => {
    const same = await data.create(versions, orders, { name: "again.csv" });
    expect(same).toMatchObject({ number: 2, state: "ready", content_sha256: version.content_sha256, row_count: 4 });
    const { body } = await get(`${versions}?filter=${encodeURIComponent("state = ready")}`);
    expect(body.map(({ number }: Json) => number)).toEqual([2, 1]);
  });

  it("is answered once for one idempotency key", async () => {
    const files = [{ artifact_sha256: await data.upload("a\n1\n"), name: "a.csv", format: "csv" }];
    const headers = { "idempotency-key": randomUUID() };
    const create = () => ask(platform, { path: versions, body: { files }, headers });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
  });
});

describe("files that cannot be read", () => {
  it("fail the version with file, line and what helps, and a corrected one is ready", async () => {
    const { versions } = await data.dataset(`Broken ${randomUUID()}`);
    const broken = await data.ready(versions, `${header}\n1,"NO,1,true,2026-03-01\n`, { name: "broken.csv" });
    expect(broken).toMatchObject({
      state: "failed",
      row_count: 0,
      content_sha256: null,
      problem: { file: "broken.csv" },
    });
    expect(broken.problem.line).toBeGreaterThan(0);
    expect(broken.problem.remedy).not.toBe("");
    const rows = await get(`${versions}/${broken.id}/rows`);
    expect([rows.status, rows.body.code]).toEqual([409, "dataset_version_not_ready"]);
    expect(await data.ready(versions, orders)).toMatchObject({ state: "ready", number: 2 });
  });

  it("are refused at once when they were not uploaded", async () => {
    const { versions } = await data.dataset(`Missing ${randomUUID()}`);
    const files = [{ artifact_sha256: "0".repeat(64), name: "a.csv", format: "csv" }];
    const { status, body } = await post(versions, { files });
    expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([
      422,
      "artifact_unknown",
      ["body", "files", 0, "artifact_sha256"],
    ]);
  });
});

describe("a version that is purged", () => {
  it("leaves nothing but its description, and the files that nothing else uses are gone", async () => {
    const { versions } = await data.dataset(`Purged ${randomUUID()}`);
    const version = await data.ready(versions, `secret\n${randomUUID()}\n`);
    const purged = await post(`${versions}/${version.id}/purge`);
    expect([purged.status, purged.body.state]).toEqual([200, "purging"]);
    await data.settled(versions, version, "purged");
    for (const sha256 of [version.content_sha256, version.files[0].artifact_sha256])
      expect((await get(`/platform/artifacts/${sha256}`)).status).toBe(404);
    for (const path of ["rows", "statistics", "content"])
      expect((await get(`${versions}/${version.id}/${path}`)).status).toBe(409);
    expect((await post(`${versions}/${version.id}/purge`)).body.state).toBe("purged");
  });

  it("leaves the data that another version shares", async () => {
    const { versions } = await data.dataset(`Shared ${randomUUID()}`);
    const content = `kept\n${randomUUID()}\n`;
    const [one, other] = [await data.ready(versions, content), await data.ready(versions, content)];
    await post(`${versions}/${one.id}/purge`);
    await data.settled(versions, one, "purged");
    expect((await get(`${versions}/${other.id}/rows`)).body).toHaveLength(1);
  });
});

describe("a dataset that is deleted", () => {
  it("takes its versions along", async () => {
    const { id, versions } = await data.dataset(`Deleted ${randomUUID()}`);
    const version = await data.ready(versions, `a\n${randomUUID()}\n`);
    await ask(platform, { method: "DELETE", path: `/platform/datasets/${id}` });
    const look = () => get(`${versions}/${version.id}`);
    await until("the version to be gone", 60, look, ({ status }) => status === 404);
    expect((await get(versions)).status).toBe(404);
    const files = [{ artifact_sha256: version.files[0].artifact_sha256, name: "a.csv", format: "csv" }];
    expect((await post(versions, { files })).status).toBe(404);
  });
});

describe("a caller without the permission", () => {
  it("reads no rows with the permission for descriptions alone", async () => {
    const { versions } = await data.dataset(`Guarded ${randomUUID()}`);
    const version = await data.ready(versions, "a\n1\n");
    const body = { name: "describes", permission_ids: ["dictionary:read", "dictionary:write"] };
    const { secret } = (await post("/platform/api-keys", body)).body;
    const { status, body: refusal } = await ask(platform, {
      path: `${versions}/${version.id}/rows`,
      bearer: secret,
    });
    expect([status, refusal.code]).toEqual([403, "permission_missing"]);
  });
});
