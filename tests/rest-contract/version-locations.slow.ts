import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { S3Server } from "@aiplatform/testkit/s3-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";

const server = await S3Server.start();
afterAll(async () => server[Symbol.asyncDispose]());
await server.bucket("lake");

const maxBytes = 100_000;
const lake = { name: "lake", url: `${server.url}/lake/shared`, organisations: "all" };
const key = { access_key_id: server.accessKeyId, secret_access_key: server.secretAccessKey };

let running: LocalPlatform;
ownPlatform((started) => (running = started), {
  settings: {
    data: {
      DATA_LOCATIONS: JSON.stringify([lake, { ...lake, name: "theirs", organisations: [randomUUID()] }]),
      DATA_LOCATION_KEYS: JSON.stringify({ lake: key, theirs: key }),
      DATA_LOCATION_MAX_BYTES: String(maxBytes),
    },
  },
});
const data = new DatasetFiles(() => running.description);
const get = (path: string) => ask(running.description, { path });
const post = (path: string, body: Json = {}) => ask(running.description, { path, body });
const csv = (...rows: number[]) => `n\n${rows.map((row) => `${row}\n`).join("")}`;
const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

async function object(content: string): Promise<string> {
  const name = `orders/${randomUUID()}.csv`;
  await server.put("lake", `shared/${name}`, content);
  return name;
}
const fileOf = (name: string, more: Json = {}) => ({
  ...{ name: "orders.csv", format: "csv", source: { location: "lake", key: name } },
  ...more,
});

let dataset: string;
let versions: string;
beforeAll(async () => {
  ({ id: dataset, versions } = await data.dataset(`Lake ${randomUUID()}`));
});

async function ready(files: Json[]): Promise<Json> {
  const { status, text, body } = await post(versions, { files });
  if (status !== 201) throw new Error(`the version was answered ${status}: ${text}`);
  return await data.settled(versions, body, "ready", "failed");
}

describe("a version of objects of a location", () => {
  it("has their rows in the order of the files, beside an uploaded one, and says where they are from", async () => {
    const [first, last] = [csv(1, 2), csv(5)];
    const uploaded = await data.upload(csv(3, 4));
    const files = [fileOf(await object(first)), { artifact_sha256: uploaded, name: "up.csv", format: "csv" }];
    const version = await ready([...files, fileOf(await object(last))]);
    expect(version).toMatchObject({ state: "ready", row_count: 5, problem: null });
    expect(version.files.map(({ artifact_sha256 }: Json) => artifact_sha256)).toEqual([
      ...[sha256Of(first), uploaded, sha256Of(last)],
    ]);
    const etag = `"${createHash("md5").update(first).digest("hex")}"`;
    expect(version.files[0].source).toEqual({ ...files[0].source, etag });
    expect(version.files[1].source).toBeNull();
    const { body } = await get(`${versions}/${version.id}/rows`);
    expect(body.map(({ n }: Json) => n)).toEqual([1, 2, 3, 4, 5]);
    expect((await get(`/platform/artifacts/${sha256Of(first)}`)).text).toBe(first);
  });

  it("shares its data with a version of the same bytes that was uploaded", async () => {
    const content = csv(7, Math.floor(Math.random() * 1e9));
    const uploaded = await data.ready(versions, content);
    const copied = await ready([fileOf(await object(content))]);
    expect(copied.content_sha256).toBe(uploaded.content_sha256);
  });

  it("is made once the server is back that was away while it was read", async () => {
    const { body } = await post(versions, { files: [fileOf(await object(csv(8)))] });
    await server.kill();
    await server.start();
    expect(await data.settled(versions, body, "ready", "failed")).toMatchObject({ state: "ready", row_count: 1 });
  });
});

describe("a file of a location", () => {
  const refused: readonly (readonly [why: string, file: () => Json, field: (string | number)[], type: string])[] = [
    [
      "of a location that is not there",
      () => ({ location: "pond", key: "a" }),
      ["source", "location"],
      "location_unknown",
    ],
    ["of a location of others", () => ({ location: "theirs", key: "a" }), ["source", "location"], "location_unknown"],
    ["that leads out of the folder", () => ({ location: "lake", key: "../a" }), ["source", "key"], "key_invalid"],
    ["that is not there", () => ({ location: "lake", key: randomUUID() }), ["source", "key"], "object_unknown"],
  ];
  it.each(refused)("is refused: one %s", async (_, source, field, type) => {
    const { status, body } = await post(versions, { files: [fileOf("", { source: source() })] });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([422, ["body", "files", 0, ...field], type]);
  });

  it("is refused where it is too large, and the bound is named", async () => {
    const name = await object(`n\n${"1\n".repeat(maxBytes / 2)}`);
    const { status, body } = await post(versions, { files: [fileOf(name)] });
    expect([status, body.detail[0].type]).toEqual([422, "object_too_large"]);
    expect(body.detail[0].msg).toContain(`${maxBytes} is the most`);
  });

  it("says which locations there are, of those of the organisation", async () => {
    const { body } = await post(versions, { files: [fileOf("", { source: { location: "pond", key: "a" } })] });
    expect(body.detail[0].msg).toContain('there are "lake"');
    expect(body.detail[0].msg).not.toContain("theirs");
  });

  it.each([
    ["an artifact as well", { artifact_sha256: "0".repeat(64) }],
    ["nothing", { source: null }],
  ])("is refused where it names %s", async (_, more) => {
    const { status, body } = await post(versions, { files: [fileOf("a", more)] });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
      ...[422, ["body", "files", 0, "artifact_sha256"], "exactly_one"],
    ]);
  });

  it("is 404 in a dataset that is not there, before the location is asked", async () => {
    const path = versions.replace(dataset, randomUUID());
    expect((await post(path, { files: [fileOf("a")] })).status).toBe(404);
  });

  it("is 503 while the server is away", async () => {
    const name = await object(csv(1));
    await server.kill();
    const { status, body } = await post(versions, { files: [fileOf(name)] });
    await server.start();
    expect([status, body.code]).toEqual([503, "location_unavailable"]);
  });
});
