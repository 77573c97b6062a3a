import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";
import { deployHandler } from "./embedding-deployment.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const asked = async (path: string, body?: Json, more: Json = {}): Promise<Json> => {
  const answer = await ask(platform, { path, ...(body ? { body } : {}), ...more });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
};
const lineage = (kind: string, id: string, more = "", bearer?: string) =>
  ask(platform, { path: `/platform/lineage?kind=${kind}&id=${id}${more}`, ...(bearer ? { bearer } : {}) });
const keyFor = async (...permission_ids: string[]): Promise<string> =>
  (await asked("/platform/api-keys", { name: "reads lineage", permission_ids })).secret;

/** A run that reads the versions, and has completed with a result. */
async function completedRun(pipeline: string, versions: Json[]): Promise<string> {
  const datasets = versions.map(({ id, dataset_id }, index) => ({ name: `d${index}`, dataset_id, version_id: id }));
  const jobs = [{ name: "train" }];
  const run = await asked(`/platform/pipelines/${pipeline}/runs`, { name: "Reads", jobs, datasets });
  const trainer = { runId: run.id, jobName: "train", attachmentId: randomUUID() };
  const rpc = (name: string, input: Json) =>
    asked(`/aiplatform.training.v1.TrainerService/${name}`, { ...trainer, ...input });
  const bytes = Buffer.from(`result of ${run.id}`);
  await data.upload(bytes);
  await rpc("TakeJob", { pipelineId: pipeline });
  await rpc("ReportJobState", { state: "JOB_STATE_RUNNING" });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const artifact = { uri: `artifact:sha256:${sha256}`, sha256, sizeBytes: `${bytes.byteLength}`, format: "onnx" };
  await rpc("ReportJobState", { state: "JOB_STATE_COMPLETED", artifact });
  return run.id;
}

/** The version of a model that was made of a run. */
async function modelVersionOf(run: string): Promise<Json> {
  const find = async () => (await lineage("run", run, "&direction=downstream")).body.nodes;
  const nodes = await until("the version of the run", 60, find, (found: Json[]) =>
    found.some(({ kind, state }) => kind === "model_version" && state === "ready"),
  );
  return nodes.find(({ kind }: Json) => kind === "model_version");
}

interface Story {
  dataset: { id: string; versions: string };
  first: Json;
  second: Json;
  successor: Json;
  embedding: Json;
  pipeline: string;
  runs: [string, string];
  modelVersion: Json;
  deployment: Json;
}
const story = {} as Story;

beforeAll(async () => {
  const dataset = await data.dataset(`Lineage ${randomUUID()}`);
  const first = await data.ready(dataset.versions, "id,x\n1,x=1 y=2\n2,x=2 y=3\n");
  const second = await data.ready(dataset.versions, "id,x\n3,x=3 y=4\n");
  const wanted = { filter: "id = 1", matching_rows: "keep" };
  const made = await asked(`${dataset.versions}/${first.id}/successors`, wanted);
  const successor = await data.settled(dataset.versions, made, "ready");
  const { id: pipeline } = await asked("/platform/pipelines", { name: `Lineage ${randomUUID()}` });
  const reads = await completedRun(pipeline, [first, second]);
  const modelVersion = await modelVersionOf(reads);
  const spec = { name: "Lineage", description: "", model_id: modelVersion.parent_id };
  // Of the only version that the model has by now.
  const deployment = await asked("/deployments/", spec);
  const runs: [string, string] = [reads, await completedRun(pipeline, [successor])];
  await modelVersionOf(runs[1]);
  const vectors = await deployHandler(platform, `Vectors ${randomUUID()}`);
  const recipe = { deployment_id: vectors, input: "text", output: "vectors", template: "{{x}}" };
  const embedding = await asked(`${dataset.versions}/${first.id}/embeddings`, { recipe });
  Object.assign(story, { dataset, first, second, successor, embedding, pipeline, runs, modelVersion, deployment });
}, 120_000);

const idsOf = (nodes: Json[]) => nodes.map(({ id }) => id).sort();

describe("the lineage of a thing", () => {
  const cases: readonly (readonly [kind: string, start: () => string, up: () => string[]])[] = [
    ["dataset_version", () => story.first.id, () => []],
    ["dataset_version", () => story.successor.id, () => [story.first.id]],
    ["dataset_embedding", () => story.embedding.id, () => [story.first.id]],
    ["run", () => story.runs[0], () => [story.first.id, story.second.id]],
    ["model_version", () => story.modelVersion.id, () => [story.runs[0], story.first.id, story.second.id]],
  ];
  it.each(cases)("is upstream of a %s what it was made of", async (kind, start, up) => {
    const { status, body } = await lineage(kind, start(), "&direction=upstream");
    expect([status, idsOf(body.nodes)]).toEqual([200, [start(), ...up()].sort()]);
    expect(body).toMatchObject({ hidden: [], left_out: 0 });
  });

  it("is one chain from a version to a deployment, asked from both ends", async () => {
    const { first, second, successor, embedding, runs, deployment } = story;
    const down = (await lineage("dataset_version", first.id, "&direction=downstream")).body;
    const up = (await lineage("deployment", deployment.id, "&direction=upstream")).body;
    expect(idsOf(down.nodes)).toEqual(
      expect.arrayContaining([first.id, successor.id, embedding.id, ...runs, deployment.id].sort()),
    );
    expect(down.nodes.map(({ id }: Json) => id)).not.toContain(second.id);
    const deployed = up.nodes.find(({ kind }: Json) => kind === "model_version");
    const read = up.nodes.filter(({ kind }: Json) => kind === "dataset_version");
    expect(idsOf(read)).toEqual(expect.arrayContaining([first.id]));
    for (const answer of [down, up]) {
      expect(answer.edges).toEqual(expect.arrayContaining([{ source_id: deployed.id, derived_id: deployment.id }]));
    }
    const byId = new Map<string, Json>(down.nodes.map((node: Json) => [node.id, node]));
    expect(byId.get(first.id)).toEqual({
      ...{ kind: "dataset_version", id: first.id, name: null, number: 1, state: "ready" },
      ...{ parent_id: story.dataset.id, distance: 0 },
    });
    expect(byId.get(runs[0])).toMatchObject({ kind: "run", name: "Reads", state: "ended", parent_id: story.pipeline });
    expect(byId.get(deployment.id)).toMatchObject({
      kind: "deployment",
      name: expect.stringMatching(/^Lineage /),
      parent_id: null,
      distance: 3,
    });
  });

  it("goes both ways unless it is asked one way, and no other way", async () => {
    const { body } = await lineage("run", story.runs[0]);
    const { first, second, runs, modelVersion, successor, embedding } = story;
    expect(idsOf(body.nodes)).toEqual(expect.arrayContaining([first.id, second.id, runs[0], modelVersion.id]));
    expect(idsOf(body.nodes)).not.toEqual(expect.arrayContaining([successor.id]));
    expect(idsOf(body.nodes)).not.toEqual(expect.arrayContaining([embedding.id]));
  });

  it.each([
    ["depth=1", (nodes: Json[]) => nodes.every(({ distance }) => distance <= 1)],
    ["limit=2", (nodes: Json[]) => nodes.length === 2],
  ])("ends at %s, and says how much it has left out", async (bound, holds) => {
    const { body } = await lineage("dataset_version", story.first.id, `&${bound}`);
    expect([holds(body.nodes), body.left_out > 0]).toEqual([true, true]);
  });

  it("has in it only what the caller may read, and counts the rest", async () => {
    const { body } = await lineage("dataset_version", story.first.id, "", await keyFor("data:read"));
    expect(body.hidden).toEqual([{ kind: "run", count: 2 }]);
    expect(idsOf(body.nodes)).toEqual([story.first.id, story.successor.id, story.embedding.id].sort());
    const { status, body: refusal } = await lineage("run", story.runs[0], "", await keyFor("data:read"));
    expect([status, refusal.detail]).toEqual([403, "Missing permission: metrics:read"]);
  });

  it("is not there for another organisation, nor of what does not exist", async () => {
    const { first, embedding, runs, modelVersion, deployment } = story;
    const starts = {
      ...{ dataset_version: first.id, dataset_embedding: embedding.id, run: runs[0] },
      ...{ model_version: modelVersion.id, deployment: deployment.id },
    };
    for (const [kind, start] of Object.entries(starts)) {
      expect([kind, (await lineage(kind, start, "", platform.foreign.bearer)).status]).toEqual([kind, 404]);
      expect([kind, (await lineage(kind, randomUUID())).status]).toEqual([kind, 404]);
    }
  });

  it.each([
    ["kind=run", "id"],
    [`id=${randomUUID()}`, "kind"],
    [`kind=planet&id=${randomUUID()}`, "kind"],
    ["kind=run&id=1", "id"],
    [`kind=run&id=${randomUUID()}&depth=21`, "depth"],
    [`kind=run&id=${randomUUID()}&limit=0`, "limit"],
    [`kind=run&id=${randomUUID()}&direction=sideways`, "direction"],
  ])("is refused for %s", async (query, field) => {
    const { status, body } = await ask(platform, { path: `/platform/lineage?${query}` });
    expect([status, body.detail[0].loc]).toEqual([422, ["query", field]]);
  });
});

describe("what is to be deleted", () => {
  /** Without the states of things, which go on meanwhile. */
  const named = (uses: Json) => ({ ...uses, nodes: uses.nodes.map(({ state: _, ...node }: Json) => node) });
  const kinds = (uses: Json) => Object.fromEntries(uses.totals.map(({ kind, count }: Json) => [kind, count]));

  it("of a run and of a pipeline says what was made of them", async () => {
    const { pipeline, runs, modelVersion, deployment } = story;
    const run = `/platform/pipelines/${pipeline}/runs/${runs[0]}`;
    for (const path of [run, `/platform/pipelines/${pipeline}`]) {
      const { body } = await ask(platform, { path: `${path}?dry_run=true`, method: "DELETE" });
      const { uses } = body.impact_warning;
      expect([body.hard_deleted, uses.left_out]).toEqual([false, 0]);
      expect(idsOf(uses.nodes)).toEqual(expect.arrayContaining([modelVersion.id]));
    }
    const { body } = await ask(platform, { path: `/platform/pipelines/${pipeline}?dry_run=true`, method: "DELETE" });
    expect(kinds(body.impact_warning.uses)).toEqual({ model_version: 2, deployment: 1 });
    expect(idsOf(body.impact_warning.uses.nodes)).toContain(deployment.id);
    const bearer = await keyFor("training:write");
    const unread = await ask(platform, { path: `${run}?dry_run=true`, method: "DELETE", bearer });
    expect(unread.body.impact_warning.uses.nodes).toEqual([]);
    expect(kinds(unread.body.impact_warning.uses)).toMatchObject({ model_version: 1 });
  });

  it("of a version says what has used its data, and the version keeps that when data, run and model are gone", async () => {
    const { dataset, second, runs, modelVersion, pipeline } = story;
    const path = `${dataset.versions}/${second.id}`;
    const told = await asked(`${path}/purge?dry_run=true`, {});
    expect([told.state, told.uses.nodes[0]]).toMatchObject([
      "ready",
      { kind: "run", id: runs[0], name: "Reads", distance: 1 },
    ]);
    expect(idsOf(told.uses.nodes)).toEqual(expect.arrayContaining([modelVersion.id]));
    expect((await asked(path)).uses).toBeNull();
    const begun = await asked(`${path}/purge`, {});
    expect(named(begun.uses)).toEqual(named(told.uses));
    const purged = await data.settled(dataset.versions, second, "purged");
    expect(named(purged.uses)).toEqual(named(told.uses));
    const { body } = await ask(platform, { path: `/platform/pipelines/${pipeline}/runs/${runs[0]}`, method: "DELETE" });
    expect(idsOf(body.impact_warning.uses.nodes)).toContain(modelVersion.id);
    expect((await asked(`${path}/purge`, {})).uses).toEqual(purged.uses);
    const up = (await lineage("model_version", modelVersion.id, "&direction=upstream")).body.nodes;
    const gone = { kind: "run", id: runs[0], state: "deleted", name: null, parent_id: pipeline };
    expect(up[1]).toMatchObject(gone);
    expect(idsOf(up)).toEqual([modelVersion.id, runs[0], story.first.id, second.id].sort());
    expect(up.find(({ id }: Json) => id === second.id)).toMatchObject({ state: "purged" });
    const down = (await lineage("dataset_version", second.id, "&direction=downstream")).body.nodes;
    expect(down[1]).toMatchObject(gone);
    expect(idsOf(down)).toContain(modelVersion.id);
    const readsData = await ask(platform, { path, bearer: await keyFor("data:read") });
    expect([readsData.body.uses.nodes, kinds(readsData.body.uses)]).toEqual([[], kinds(told.uses)]);
    expect((await asked(dataset.versions)).map(({ uses }: Json) => uses)).toEqual(
      (await asked(dataset.versions)).map(() => null),
    );
  });
});
