import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const get = (path: string) => ask(platform, { path });
const post = (path: string, body: Json = {}) => ask(platform, { path, body });

let versions: string;
let predecessor: Json;
beforeAll(async () => {
  ({ versions } = await data.dataset(`Customers ${randomUUID()}`));
  // The last one has no name.
  const rows = ["id,name", "1,Ada", "2,Bob", "3,Cyd", `4,${randomUUID()}`, "5,"];
  predecessor = await data.ready(versions, `${rows.join("\n")}\n`);
});

const succeed = (body: Json) => post(`${versions}/${predecessor.id}/successors`, body);
const idsOf = async ({ id }: Json) => (await get(`${versions}/${id}/rows`)).body.map((row: Json) => row.id);

describe("a successor of a version", () => {
  const cases: readonly (readonly [matching_rows: string, filter: string, ids: number[]])[] = [
    ["remove", 'name = "Bob"', [1, 3, 4, 5]],
    ["keep", "id > 1 AND name:*", [2, 3, 4]],
    ["keep", 'name != "Bob"', [1, 3, 4]],
    ["remove", 'name != "Bob"', [2, 5]],
    ["keep", "id > 100", []],
  ];
  it.each(cases)(
    "has, in their order, what is left when rows are to %s that fulfil %s",
    async (matching_rows, filter, ids) => {
      const { status, body } = await succeed({ filter, matching_rows });
      expect([status, body.files]).toEqual([201, []]);
      const ready = await data.settled(versions, body, "ready", "failed");
      expect(ready).toMatchObject({
        ...{ state: "ready", problem: null, progress: null, row_count: ids.length },
        predecessor: { version_id: predecessor.id, number: predecessor.number, matching_rows },
        columns: predecessor.columns.map(({ name, type }: Json) => ({ name, type })),
      });
      expect(await idsOf(ready)).toEqual(ids);
    },
  );

  it("stays when its predecessor is purged, and keeps nothing of what the filter named", async () => {
    const erased = `erased ${randomUUID()}`;
    const version = await data.ready(versions, `id,name\n1,Ada\n2,${erased}\n`);
    const wanted = { filter: `name = "${erased}"`, matching_rows: "remove" };
    const { body } = await post(`${versions}/${version.id}/successors`, wanted);
    const successor = await data.settled(versions, body, "ready", "failed");
    await post(`${versions}/${version.id}/purge`);
    await data.settled(versions, version, "purged");
    expect(await idsOf(successor)).toEqual([1]);
    const { body: all } = await get(versions);
    expect(JSON.stringify(all)).not.toContain(erased);
  });

  it("is answered once for one idempotency key", async () => {
    const wanted = { filter: "id = 1", matching_rows: "keep" };
    const headers = { "idempotency-key": randomUUID() };
    const create = () => ask(platform, { path: `${versions}/${predecessor.id}/successors`, body: wanted, headers });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
  });

  const refused: readonly (readonly [why: string, body: Json, field: string, type: string])[] = [
    ["an unknown column", { filter: "colour = red", matching_rows: "keep" }, "filter", "filter_invalid"],
    ["a filter of spaces", { filter: "  ", matching_rows: "keep" }, "filter", "filter_invalid"],
    ["no filter", { matching_rows: "keep" }, "filter", "missing"],
    ["rows without a fate", { filter: "id = 1" }, "matching_rows", "missing"],
  ];
  it.each(refused)("is refused with %s", async (_, body, field, type) => {
    const answer = await succeed(body);
    expect([answer.status, answer.body.detail[0].loc, answer.body.detail[0].type]).toEqual([
      422,
      ["body", field],
      type,
    ]);
  });

  it("is refused of a version whose data is removed", async () => {
    const version = await data.ready(versions, `id\n${randomUUID()}\n`);
    await post(`${versions}/${version.id}/purge`);
    const { status, body } = await post(`${versions}/${version.id}/successors`, {
      filter: "id:*",
      matching_rows: "keep",
    });
    expect([status, body.code]).toEqual([409, "dataset_version_not_ready"]);
  });

  it("is refused to a caller who may write and not read", async () => {
    const body = { name: "writes", permission_ids: ["data:write"] };
    const { secret } = (await post("/platform/api-keys", body)).body;
    const answer = await ask(platform, {
      path: `${versions}/${predecessor.id}/successors`,
      body: { filter: "id = 1", matching_rows: "keep" },
      bearer: secret,
    });
    expect([answer.status, answer.body.detail]).toEqual([403, "Missing permission: data:read"]);
  });
});

describe("the creation of a version that is repeated with its idempotency key", () => {
  it("is answered as before although its files are gone", async () => {
    const files = [{ artifact_sha256: await data.upload(`a\n${randomUUID()}\n`), name: "a.csv", format: "csv" }];
    const headers = { "idempotency-key": randomUUID() };
    const create = () => ask(platform, { path: versions, body: { files }, headers });
    const { body: version } = await create();
    await data.settled(versions, version, "ready");
    await post(`${versions}/${version.id}/purge`);
    await data.settled(versions, version, "purged");
    expect((await get(`/platform/artifacts/${files[0]?.artifact_sha256}`)).status).toBe(404);
    const again = await create();
    expect([again.status, again.body.id]).toEqual([201, version.id]);
  });
});
