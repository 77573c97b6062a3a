import { randomUUID } from "node:crypto";
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
    const read = { dataset_id: dataset.id, version_id: ready.id, number: 1, row_count: 2 };
    const datasets = ["train", "test"].map((name) => ({ ...read, name, content_sha256: ready.content_sha256 }));
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

  it("is started by an automation, in the name of its publisher", async () => {
    const asked = async (path: string, body?: Json, more: Json = {}) => {
      const answer = await ask(platform, { path, ...(body ? { body } : {}), ...more });
      if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
      return answer.body;
    };
    const pipeline_id = runs.split("/")[3];
    const jobs = [{ name: "train" }];
    const template = { type: "train", action: "start_run", pipeline_id, jobs, datasets: [reference()], wait: false };
    const { id } = await asked("/platform/automations", { name: "Trains" });
    const steps = [{ key: "train", name: "Train", prompt_template: template }];
    await asked(`/platform/automations/${id}/draft`, { steps }, { method: "PUT" });
    await asked(`/platform/automations/${id}/publish`, undefined, { method: "POST", headers: { "if-match": "*" } });
    const started = await asked(`/platform/automations/${id}/runs`, {});
    const ended = await until(
      "the end of the run",
      60,
      () => asked(`/platform/automation-runs/${started.id}`),
      ({ ended_at }) => ended_at !== null,
    );
    expect(ended).toMatchObject({ status: "succeeded", error: null });
    const { datasets } = await asked(`${runs}/${ended.steps[0].output.run_id}`);
    expect(datasets).toMatchObject([{ name: "train", version_id: ready.id, row_count: 2 }]);
  });
});
