import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];

sharedPlatform(({ description }) => {
  platform = description;
});

const put = (path: string, body: unknown) => ask(platform, { method: "PUT", path, body });
const remove = (path: string) => ask(platform, { method: "DELETE", path });

async function made(path: string, body: unknown): Promise<Json> {
  const answer = await ask(platform, { path, body });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

const newDataset = () => made("/platform/datasets", { name: `Digits ${randomUUID()}` });
const datasetPath = ({ id }: Json) => `/platform/datasets/${id}`;

async function publish({ id }: Json, template: object): Promise<void> {
  const steps = [{ key: "a", name: "A", prompt_template: template }];
  const saved = await put(`/platform/automations/${id}/draft`, { steps, step_transitions: [] });
  const path = `/platform/automations/${id}/publish`;
  const published = await ask(platform, { method: "POST", path, headers: { "if-match": "*" } });
  expect([saved.status, published.status]).toEqual([200, 200]);
}

function bundle(datasets: Json[]) {
  return {
    name: "Echo",
    serving_bundle: {
      schema_version: "serving.v1",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: { type: "object" }, output: { type: "object" } },
      name: "echo",
      description: "",
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
      datasets,
    },
    artifacts: [{ name: "handler", content: "export default (input) => input", content_type: "text/javascript" }],
  };
}

/** Deployments knows a dataset a moment after it was made. */
async function deployedWith({ id: dataset_id }: Json): Promise<Json> {
  const path = "/deployments/custom-serving/";
  const { body } = await until(
    "deployments to know the dataset",
    60,
    () => ask(platform, { path, body: bundle([{ dataset_id, alias: "digits" }]) }),
    ({ status }) => status === 201,
  );
  return body;
}

describe("a dataset that was in use was deleted, and what used it failed", () => {
  it("stays while a published automation writes to it", async () => {
    const dataset = await newDataset();
    const automation = await made("/platform/automations", { name: "Describe" });
    await publish(automation, { type: "dictionary", dataset_id: dataset.id.toUpperCase(), entries: [{ name: "age" }] });
    const { status, body } = await remove(datasetPath(dataset));
    expect([status, body]).toEqual([
      409,
      {
        detail: `The dataset is used by automation ${automation.id}. Delete these or change them first`,
        code: "dataset_in_use",
      },
    ]);
    await publish(automation, { type: "prompt", text: `Say nothing of ${dataset.id}` });
    expect((await remove(datasetPath(dataset))).status).toBe(200);
  });

  it("stays while the bundle of a deployment names it", async () => {
    const dataset = await newDataset();
    const deployment = await deployedWith(dataset);
    const { status, body } = await remove(datasetPath(dataset));
    expect([status, body.code]).toEqual([409, "dataset_in_use"]);
    expect(body.detail).toContain(`deployment ${deployment.id}`);
    expect((await ask(platform, { path: datasetPath(dataset) })).status).toBe(200);
    await remove(`/platform/deployments/${deployment.id}`);
    await until(
      "the dataset to be in use no more",
      60,
      () => remove(datasetPath(dataset)),
      (answer) => answer.status === 200,
    );
  });
});

describe("the use of a feature by a deployment that was deleted blocked the feature's deletion for ever", () => {
  it("ends with the deployment", async () => {
    const deployment = await made("/deployments/custom-serving/", bundle([]));
    const feature = `/platform/features/${randomUUID()}`;
    await put(feature, {});
    await put(`${feature}/usages/deployment/${deployment.id}`, { asset_name: "Echo" });
    await remove(`/platform/deployments/${deployment.id}`);
    await until(
      "the use to end",
      60,
      () => ask(platform, { path: `${feature}/usages` }),
      ({ body }) => body.length === 0,
    );
    const { body } = await remove(`${feature.replace("/platform/features", "/feature-memory")}/`);
    expect(body).toMatchObject({ hard_deleted: true, status: "deleted" });
  });
});

describe("the use of a feature by something that never existed was accepted, and kept the feature for ever", () => {
  it.each(["deployment", "model", "workspace"])("is refused: %s", async (type) => {
    const feature = `/platform/features/${randomUUID()}`;
    await put(feature, {});
    for (const id of [randomUUID(), "d1"]) {
      const { status, body } = await put(`${feature}/usages/${type}/${id}`, { asset_name: "Echo" });
      const msg = `Value error, there is no ${type} with this id`;
      expect([status, body]).toEqual([
        422,
        { detail: [{ type: "asset_unknown", loc: ["path", "asset_id"], msg, input: id }] },
      ]);
    }
    expect((await ask(platform, { path: `${feature}/usages` })).body).toEqual([]);
  });
});

describe("the use of a feature by a workspace that was deleted", () => {
  it("ends with the workspace, and the other uses stay", async () => {
    const { id: asset_id } = await made("/platform/assets", { name: "Sales", kind: "report" });
    const asset = { asset_id, role: "primary", source: "manual", confidence: 1 };
    const workspace = { name: "Sales", draft_id: randomUUID(), assets: [asset] };
    const accepted = await ask(platform, {
      path: "/workspaces/enable-from-proposal/",
      body: { algorithm_version: "1", workspaces: [workspace] },
    });
    expect(accepted.status).toBe(200);
    const { body: all } = await ask(platform, { path: "/platform/workspaces?limit=1000" });
    const { id } = all.find(({ draft_id }: Json) => draft_id === workspace.draft_id);
    const feature = `/platform/features/${randomUUID()}`;
    await put(feature, {});
    const uses = [`workspace/${id}`, "notebook/n1"];
    for (const use of uses) expect((await put(`${feature}/usages/${use}`, { asset_name: "Sales" })).status).toBe(200);
    await remove(`/platform/workspaces/${id}`);
    const { body } = await until(
      "the use to end",
      60,
      () => ask(platform, { path: `${feature}/usages` }),
      ({ body }) => body.length === 1,
    );
    expect(body).toMatchObject([{ asset_type: "notebook" }]);
  });
});
