import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { Automations } from "../automations/automations.ts";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";

let running: LocalPlatform;
let platform: LocalPlatform["description"];
sharedPlatform((started) => {
  running = started;
  platform = started.description;
});
const data = new DatasetFiles(() => platform);
const automations = new Automations(() => running);

describe("a run that reads versions of datasets", () => {
  let dataset: { id: string; versions: string };
  let ready: Json;
  let failed: Json;
  let runs: string;
  beforeAll(async () => {
    dataset = await data.dataset(`Read ${randomUUID()}`);
    ready = await data.ready(dataset.versions, "id,price\n1,10\n2,20\n");
    failed = await data.ready(dataset.versions, '{"id": 1\n', { format: "jsonl" });
    const { body } = await ask(platform, { path: "/platform/pipelines", body: { name: `reads ${randomUUID()}` } });
    runs = `/platform/pipelines/${body.id}/runs`;
  });
  const reference = (more: Json = {}): Json => ({
    ...{ name: "train", dataset_id: dataset.id, version_id: ready.id },
    ...more,
  });
  const created = (datasets: Json[], more: Json = {}) =>
    ask(platform, { path: runs, body: { name: "reads", jobs: [{ name: "train" }], datasets }, ...more });

  it("has the number, the rows and the digest of each, and is found by a version", async () => {
    const { status, body } = await created([reference(), reference({ name: "test" })]);
    const { content_sha256, size_bytes } = ready;
    const read = { dataset_id: dataset.id, version_id: ready.id, number: 1, row_count: 2, content_sha256, size_bytes };
    const datasets = ["train", "test"].map((name) => ({ ...read, name }));
    expect([status, body.datasets]).toEqual([201, datasets]);
    expect((await ask(platform, { path: `${runs}/${body.id}` })).body.datasets).toEqual(datasets);
    const other = await created([]);
    expect(other.body.datasets).toEqual([]);
    const found = (id: string) => `?filter=${encodeURIComponent(`datasets.version_id = "${id}"`)}`;
    for (const path of [runs, "/platform/runs"]) {
      const ids = (await ask(platform, { path: path + found(ready.id) })).body.map(({ id }: Json) => id);
      expect([ids.includes(body.id), ids.includes(other.body.id)]).toEqual([true, false]);
    }
    expect((await ask(platform, { path: `/platform/runs${found(failed.id)}` })).body).toEqual([]);
  });

  it.each([
    ["that there is none of", () => ({ version_id: randomUUID() }), "dataset_version_not_found"],
    ["of another dataset", () => ({ dataset_id: randomUUID() }), "dataset_version_not_found"],
    ["that is not ready", () => ({ version_id: failed.id }), "dataset_version_not_ready"],
  ])("is refused with the place for a version %s", async (_, more, type) => {
    const { status, body } = await created([reference(), reference({ name: "test", ...more() })]);
    expect([status, body.detail]).toMatchObject([422, [{ type, loc: ["body", "datasets", 1, "version_id"] }]]);
  });

  it("is refused where two have one name", async () => {
    const { status, body } = await created([reference(), reference()]);
    expect([status, body.detail]).toMatchObject([422, [{ type: "duplicate_name", loc: ["body", "datasets"] }]]);
  });

  it("needs the permission to read data, unless it reads none", async () => {
    const body = { name: "trains only", permission_ids: ["training:write"] };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
    const refused = await created([reference()], { bearer: secret });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("data:read")]);
    expect((await created([], { bearer: secret })).status).toBe(201);
  });

  it("is answered as before when it is created again with its key, though the version is purged", async () => {
    const version = await data.ready(dataset.versions, "id,price\n3,30\n");
    const headers = { "idempotency-key": randomUUID() };
    const first = await created([reference({ version_id: version.id })], { headers });
    await ask(platform, { path: `${dataset.versions}/${version.id}/purge`, body: {} });
    await data.settled(dataset.versions, version, "purged");
    const again = await created([reference({ version_id: version.id })], { headers });
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect((await created([reference({ version_id: version.id })])).status).toBe(422);
  });

  describe("whose trainer has a key with metrics:report alone", () => {
    let bearer: string;
    let unread: Json;
    beforeAll(async () => {
      const body = { name: "trains", permission_ids: ["metrics:report"] };
      ({ secret: bearer } = (await ask(platform, { path: "/platform/api-keys", body })).body);
      unread = await data.ready(dataset.versions, "id,price\n4,40\n");
    });
    const downloaded = (run: Json, version: Json, headers: Record<string, string> = {}) => {
      const path = `${runs}/${run.id}/datasets/${version.id}/content`;
      return fetch(platform.gateway + path, { headers: { authorization: `Bearer ${bearer}`, ...headers } });
    };

    it("tells the trainer what it reads, with and without a stream", async () => {
      const { body: run } = await created([reference()]);
      const trainer = `${runs}/${run.id}/jobs/train/trainer`;
      const taken = await ask(platform, {
        path: trainer,
        method: "PUT",
        body: { attachment_id: randomUUID() },
        bearer,
      });
      expect([taken.status, taken.body.datasets]).toEqual([200, run.datasets]);
      const attached = await fetch(`${platform.gateway}${trainer}/commands`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ attachment_id: randomUUID() }),
      });
      const reader = attached.body?.pipeThrough(new TextDecoderStream()).getReader();
      const { value = "" } = (await reader?.read()) ?? {};
      await reader?.cancel();
      expect(JSON.parse(value.split("\n")[0] ?? "").attached.datasets).toEqual(run.datasets);
    });

    it("gives the trainer the file of each version that it names, also in ranges, and no other", async () => {
      const { body: run } = await created([reference()]);
      const whole = await downloaded(run, ready);
      const bytes = Buffer.from(await whole.arrayBuffer());
      expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/vnd.apache.parquet"]);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(ready.content_sha256);
      const headers = { range: "bytes=100-", "if-range": `"${ready.content_sha256}"` };
      const rest = await downloaded(run, ready, headers);
      expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, bytes.subarray(100)]);
      expect((await downloaded(run, unread)).status).toBe(404);
      expect((await downloaded({ id: randomUUID() }, ready)).status).toBe(404);
      const direct = await ask(platform, { path: `${dataset.versions}/${ready.id}/content`, bearer });
      expect([direct.status, direct.text]).toEqual([403, expect.stringContaining("data:read")]);
    });

    it("answers 409 once the version is purged", async () => {
      const version = await data.ready(dataset.versions, "id,price\n5,50\n");
      const { body: run } = await created([reference({ version_id: version.id })]);
      await ask(platform, { path: `${dataset.versions}/${version.id}/purge`, body: {} });
      await data.settled(dataset.versions, version, "purged");
      const gone = await downloaded(run, version);
      expect([gone.status, await gone.json()]).toMatchObject([409, { code: "artifact_missing" }]);
    });

    it("needs that permission", async () => {
      const { body: run } = await created([reference()]);
      const body = { name: "reads", permission_ids: ["metrics:read", "models:read"] };
      const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
      const refused = await downloaded(run, ready, { authorization: `Bearer ${secret}` });
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("metrics:report")]);
    });
  });

  it("is started by an automation, in the name of its publisher", async () => {
    const pipeline_id = runs.split("/")[3];
    const jobs = [{ name: "train" }];
    const template = { type: "train", action: "start_run", pipeline_id, jobs, datasets: [reference()], wait: false };
    const ended = await automations.ran(await automations.published([template]));
    expect(ended).toMatchObject({ status: "succeeded", error: null });
    const { datasets } = await automations.asked(`${runs}/${ended.steps[0].output.run_id}`);
    expect(datasets).toMatchObject([{ name: "train", version_id: ready.id, row_count: 2 }]);
  });
});
