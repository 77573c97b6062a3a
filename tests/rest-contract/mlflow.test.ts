import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const root = "/platform/mlflow/api/2.0";
const api = (path: string, body?: Json, bearer?: string): Promise<Answer> =>
  ask(platform, { path: `${root}/mlflow/${path}`, ...(body && { body }), ...(bearer && { bearer }) });

async function done(path: string, body?: Json): Promise<Json> {
  const { status, text, body: answer } = await api(path, body);
  expect([status, text]).toEqual([200, text]);
  return answer;
}

const refused = ({ status, body }: Answer) => [status, body.error_code];

interface Made {
  experiment_id: string;
  run_id: string;
}

async function newRun(): Promise<Made> {
  const { experiment_id } = await done("experiments/create", { name: `digits ${randomUUID()}` });
  const tags = [{ key: "mlflow.user", value: "ada" }];
  const { run } = await done("runs/create", { experiment_id, run_name: "first", start_time: 1, tags });
  expect(run.info).toMatchObject({
    experiment_id,
    run_name: "first",
    user_id: "ada",
    status: "RUNNING",
    end_time: null,
  });
  return { experiment_id, run_id: run.info.run_id };
}

const runPath = ({ experiment_id, run_id }: Made) => `/platform/pipelines/${experiment_id}/runs/${run_id}`;

describe("a run that a script of MLflow reports", () => {
  let made: Made;
  const metrics = [
    { key: "loss", value: 0.5, timestamp: 1_700_000_000_000, step: 0 },
    { key: "loss", value: 0.25, timestamp: 1_700_000_001_000, step: 1 },
    { key: "odd", value: "NaN", timestamp: 1_700_000_001_000, step: 1 },
  ];

  beforeAll(async () => {
    made = await newRun();
    const { run_id } = made;
    const params = [
      { key: "lr", value: "1e-05" },
      { key: "optimizer", value: "adam" },
    ];
    const tags = [
      { key: "stage", value: "draft" },
      { key: "mlflow.note.content", value: "Notes" },
    ];
    const batch = { run_id, metrics, params, tags };
    // The client repeats a request that got no answer.
    for (let time = 0; time < 2; time += 1) await done("runs/log-batch", batch);
  });

  it("is an ordinary run with one job that is running, and what was logged is its own", async () => {
    const { body } = await ask(platform, { path: runPath(made) });
    expect(body).toMatchObject({
      name: "first",
      notes: "Notes",
      tags: { "mlflow.user": "ada", stage: "draft" },
      parameters: { lr: 1e-5, optimizer: "adam" },
      jobs: [{ job: { name: "mlflow" }, state: "running" }],
    });
    const live = await ask(platform, { path: `/pipelines/${made.experiment_id}/runs/${made.run_id}/metrics/` });
    expect(live.body.metrics.loss).toMatchObject({ value: 0.25, step: 1 });
  });

  it("is read as it was logged", async () => {
    const { run } = await done(`runs/get?run_id=${made.run_id}&run_uuid=${made.run_id}`);
    expect(run.data.params).toEqual([
      { key: "lr", value: "1e-05" },
      { key: "optimizer", value: "adam" },
    ]);
    expect(run.data.metrics).toEqual([metrics[1], metrics[2]]);
    const history = await done(`metrics/get-history?run_id=${made.run_id}&metric_key=loss`);
    expect(history).toEqual({ metrics: metrics.slice(0, 2), next_page_token: "" });
  });

  it("is found by what was logged, in MLflow's own words", async () => {
    const filter =
      "metrics.loss < 0.3 AND params.`lr` = '1e-05' and tags.stage IN ('draft') AND attributes.status = 'RUNNING'";
    const wanted = { experiment_ids: [made.experiment_id], filter, order_by: ["metrics.loss DESC"] };
    const found = await until(
      "the run to be found",
      30,
      () => done("runs/search", wanted),
      ({ runs }) => runs.length > 0,
    );
    expect(found.runs.map(({ info }: Json) => info.run_id)).toEqual([made.run_id]);
    expect(found.runs[0].data.metrics).toEqual([{ key: "loss", value: 0.25, timestamp: 0, step: 0 }]);
    const none = await done("runs/search", { ...wanted, filter: "tags.stage != 'draft'" });
    expect(none).toEqual({ runs: [], next_page_token: "" });
  });

  it("ends, goes on in a new segment, and ends again", async () => {
    const { run_id } = made;
    const ended = await done("runs/update", { run_id, status: "FINISHED", end_time: 5 });
    expect(ended.run_info).toMatchObject({ status: "FINISHED", end_time: expect.any(Number) });
    expect((await done("runs/update", { run_id, status: "RUNNING" })).run_info.status).toBe("RUNNING");
    await done("runs/log-metric", { run_id, key: "loss", value: 0.125, step: 2 });
    expect((await done("runs/update", { run_id, status: "FAILED" })).run_info.status).toBe("FAILED");
    const { body } = await ask(platform, { path: `${runPath(made)}/jobs/mlflow` });
    expect([body.state, body.segments.map(({ kind }: Json) => kind)]).toEqual(["failed", ["initial", "resume"]]);
    const { metrics: all } = await done(`metrics/get-history?run_id=${run_id}&metric_key=loss`);
    expect(all.map(({ value }: Json) => value)).toEqual([0.5, 0.25, 0.125]);
  });

  it("is deleted and restored as an archived run is", async () => {
    const { run_id, experiment_id } = made;
    await done("runs/delete", { run_id });
    expect((await ask(platform, { path: runPath(made) })).body.archived_at).not.toBeNull();
    const seen = async (run_view_type: string) =>
      (await done("runs/search", { experiment_ids: [experiment_id], run_view_type })).runs.length;
    expect([await seen("ACTIVE_ONLY"), await seen("DELETED_ONLY"), await seen("ALL")]).toEqual([0, 1, 1]);
    await done("runs/restore", { run_id });
    expect(await seen("ACTIVE_ONLY")).toBe(1);
  });
});

describe("an experiment", () => {
  it("is a pipeline, found by its name and by its tags", async () => {
    const name = `digits ${randomUUID()}`;
    const { experiment_id } = await done("experiments/create", { name, tags: [{ key: "team", value: name }] });
    const { experiment } = await done(`experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`);
    expect(experiment).toMatchObject({ experiment_id, name, lifecycle_stage: "active" });
    const { experiments } = await done("experiments/search", { filter: `tags.team = '${name}'` });
    expect(experiments.map((found: Json) => found.experiment_id)).toEqual([experiment_id]);
    expect((await ask(platform, { path: `/platform/pipelines/${experiment_id}` })).body.name).toBe(name);
  });

  it("is one of its name, also where several create it at once", async () => {
    const name = `digits ${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => api("experiments/create", { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(refused(answers.find(({ status }) => status === 409) as Answer)).toEqual([409, "RESOURCE_ALREADY_EXISTS"]);
  });

  it("is made for a run without one", async () => {
    const [one, other] = await Promise.all([done("runs/create", { experiment_id: "0" }), done("runs/create", {})]);
    expect(one.run.info.experiment_id).toBe(other.run.info.experiment_id);
    expect((await done("experiments/get?experiment_id=0")).experiment.name).toBe("Default");
  });
});

describe("a mistake", () => {
  let made: Made;
  beforeAll(async () => {
    made = await newRun();
    await done("runs/log-parameter", { run_id: made.run_id, key: "lr", value: "0.1" });
  });

  it.each<[string, (run: Made) => [string, Json?], number, string, string]>([
    [
      "a parameter with another value",
      ({ run_id }) => ["runs/log-parameter", { run_id, key: "lr", value: "0.2" }],
      422,
      "INVALID_PARAMETER_VALUE",
      "parameters keep theirs",
    ],
    [
      "a negative step",
      ({ run_id }) => ["runs/log-metric", { run_id, key: "loss", value: 1, step: -1 }],
      422,
      "INVALID_PARAMETER_VALUE",
      "step: ",
    ],
    [
      "a long tag",
      ({ run_id }) => ["runs/set-tag", { run_id, key: "long", value: "x".repeat(1_001) }],
      422,
      "INVALID_PARAMETER_VALUE",
      "1000 are the most",
    ],
    [
      "a pattern in a filter",
      ({ experiment_id }) => ["runs/search", { experiment_ids: [experiment_id], filter: "tags.a LIKE 'x%'" }],
      422,
      "INVALID_PARAMETER_VALUE",
      "compares by LIKE",
    ],
    [
      "an order that is no name",
      ({ experiment_id }) => ["runs/search", { experiment_ids: [experiment_id], order_by: ["metrics.`a"] }],
      422,
      "INVALID_PARAMETER_VALUE",
      "order_by",
    ],
    ["an unknown run", () => [`runs/get?run_id=${randomUUID()}`], 404, "RESOURCE_DOES_NOT_EXIST", "No run has this id"],
    [
      "an unknown experiment",
      () => [`experiments/get?experiment_id=${randomUUID()}`],
      404,
      "RESOURCE_DOES_NOT_EXIST",
      "No experiment has this id",
    ],
    [
      "a tag of an experiment that is to be deleted",
      ({ experiment_id }) => ["experiments/delete-experiment-tag", { experiment_id, key: "a" }],
      404,
      "ENDPOINT_NOT_FOUND",
      "PATCH /platform/pipelines",
    ],
    ["a run that runs", ({ run_id }) => ["runs/delete", { run_id }], 409, "INVALID_STATE", "are active"],
    [
      "a part that is not covered",
      () => ["registered-models/create", { name: "m" }],
      404,
      "ENDPOINT_NOT_FOUND",
      "/platform/models",
    ],
  ])("is answered as MLflow reads it: %s", async (_, request, status, code, words) => {
    const answer = await api(...request(made));
    expect(refused(answer)).toEqual([status, code]);
    expect(answer.body.message).toContain(words);
  });

  it("of a multipart upload begins as clients know it, so that they send the file whole", async () => {
    const path = `${root}/mlflow-artifacts/mpu/create/${made.experiment_id}/${made.run_id}/x.bin`;
    const answer = await ask(platform, { path, body: { path: "x.bin", num_parts: 2 } });
    expect(refused(answer)).toEqual([404, "ENDPOINT_NOT_FOUND"]);
    expect(answer.body.message).toMatch(/^Multipart upload is not supported for the current artifact repository/);
  });

  it("is told without a credential, and with one of another organisation, as everywhere", async () => {
    const path = `${root}/mlflow/runs/get?run_id=${made.run_id}`;
    expect(refused(await ask(platform, { path, bearer: null }))).toEqual([401, "UNAUTHENTICATED"]);
    const foreign = platform.foreign.bearer;
    expect(refused(await ask(platform, { path, bearer: foreign }))).toEqual([404, "RESOURCE_DOES_NOT_EXIST"]);
  });
});

describe("a file of a run", () => {
  const artifacts = `${root}/mlflow-artifacts/artifacts`;
  const send = async (path: string, bytes: Uint8Array<ArrayBuffer>, bearer = platform.bearer) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return fetch(platform.gateway + artifacts + path, { method: "PUT", headers, body: bytes });
  };
  const read = (path: string, bearer = platform.bearer) =>
    fetch(platform.gateway + path, { headers: { authorization: `Bearer ${bearer}` } });
  const large = new Uint8Array(5_000_000).fill(7);
  let made: Made;
  beforeAll(async () => {
    made = await newRun();
    const below = `/${made.experiment_id}/${made.run_id}`;
    expect((await send(`${below}/model/a%20b.bin`, large)).status).toBe(200);
    expect((await send(`${below}/notes.txt`, new TextEncoder().encode("first"))).status).toBe(200);
    expect((await send(`${below}/notes.txt`, new TextEncoder().encode("second"))).status).toBe(200);
  });

  it("is listed by folder, as MLflow does", async () => {
    const list = async (folder: string) => {
      const path = `${artifacts}?path=${made.experiment_id}/${made.run_id}${folder}`;
      return (await ask(platform, { path })).body.files;
    };
    expect(await list("")).toEqual([
      { path: "model", is_dir: true, file_size: 0 },
      { path: "notes.txt", is_dir: false, file_size: 6 },
    ]);
    expect(await list("/model")).toEqual([{ path: "a b.bin", is_dir: false, file_size: large.byteLength }]);
    expect(await list("/mod")).toEqual([]);
  });

  it("is listed and read by the operations of the platform, with ranges", async () => {
    const files = `${runPath(made)}/files`;
    const { body } = await ask(platform, { path: `${files}?filter=size_bytes%20%3E%20100` });
    expect(body).toMatchObject([{ path: "model/a b.bin", size_bytes: large.byteLength }]);
    const whole = await read(`${files}/model/a%20b.bin`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
    const part = await fetch(`${platform.gateway}${files}/notes.txt`, {
      headers: { authorization: `Bearer ${platform.bearer}`, range: "bytes=0-2" },
    });
    expect([part.status, await part.text()]).toEqual([206, "sec"]);
  });

  it("is no other organisation's, and of no run that there is not", async () => {
    const bearer = platform.foreign.bearer;
    const below = `/${made.experiment_id}/${made.run_id}`;
    expect((await send(`${below}/x.txt`, new Uint8Array(1), bearer)).status).toBe(404);
    expect((await read(`${runPath(made)}/files/notes.txt`, bearer)).status).toBe(404);
    expect((await ask(platform, { path: `${runPath(made)}/files`, bearer })).status).toBe(404);
    const listed = await ask(platform, { path: `${artifacts}?path=${below.slice(1)}`, bearer });
    expect(refused(listed)).toEqual([404, "RESOURCE_DOES_NOT_EXIST"]);
    expect((await send(`/${made.experiment_id}/${randomUUID()}/x.txt`, new Uint8Array(1))).status).toBe(404);
  });

  it("has a path of plain names", async () => {
    const answer = await send(`/${made.experiment_id}/${made.run_id}/a/%2e%2e%2Fb`, new Uint8Array(1));
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { error_code: "INVALID_PARAMETER_VALUE", message: expect.stringContaining("path: is names separated by") },
    ]);
  });

  it("goes with the run", async () => {
    await done("runs/update", { run_id: made.run_id, status: "FINISHED" });
    expect((await ask(platform, { method: "DELETE", path: runPath(made) })).status).toBe(200);
    const gone = async () => (await read(`${runPath(made)}/files/notes.txt`)).status;
    await until("the file to be gone", 30, gone, (status) => status === 404);
  });
});
