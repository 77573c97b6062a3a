import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const unknown = randomUUID();
const attachment = { attachment_id: randomUUID() };
const job = {
  name: "train",
  overrides: [{ key: "learning_rate", type: "number", class: "hot", minimum: 0, maximum: 1 }],
  primary_metric: "test_accuracy",
  primary_metric_goal: "maximize",
  configuration: { learning_rate: 0.01, epochs: 5, seed: 12345678901234567890n },
};
const searched = { tags: { author: "ada" }, notes: "With a low rate", parameters: { learning_rate: 0.01 } };
/** As a client writes it, with a number that no double holds. */
const text = JSON.stringify({ name: "First try", jobs: [job], ...searched }, (_key, value) =>
  typeof value === "bigint" ? "BIG" : value,
).replace('"BIG"', "12345678901234567890");

async function newPipeline(name = `Digits ${randomUUID()}`): Promise<Json> {
  const { status, body } = await ask(platform, { path: "/platform/pipelines", body: { name } });
  expect(status).toBe(201);
  return body;
}

const runsPath = (pipeline: Json) => `/platform/pipelines/${pipeline.id}/runs`;

describe("a pipeline", () => {
  it("is created with its name, read by its id, and first in the list", async () => {
    const created = await newPipeline("Digits");
    expect(created).toEqual({
      id: expect.any(String),
      name: "Digits",
      created_at: expect.any(String),
      description: "",
      annotations: {},
      updated_at: created.created_at,
      archived_at: null,
    });
    expect(await ask(platform, { path: `/platform/pipelines/${created.id}` })).toMatchObject({
      status: 200,
      body: created,
    });
    const newest = await ask(platform, { path: "/platform/pipelines?limit=1" });
    expect([newest.status, newest.body]).toEqual([200, [created]]);
  });

  it("is listed on one page of many, newest first", async () => {
    const names = [];
    for (let index = 0; index < 3; index += 1) names.unshift((await newPipeline()).name);
    const first = await ask(platform, { path: "/platform/pipelines?limit=2" });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await ask(platform, { path: next });
    expect([...first.body, ...second.body].slice(0, 3).map(({ name }: Json) => name)).toEqual(names);
  });

  it("is found by its name and its time, in the order asked for", async () => {
    const prefix = randomUUID();
    const [b, a] = [await newPipeline(`${prefix} b`), await newPipeline(`${prefix} a`)];
    await newPipeline();
    const filter = encodeURIComponent(`name >= "${prefix} " AND name < "${prefix}!" AND created_at >= ${b.created_at}`);
    const listed = async (query: string) =>
      (await ask(platform, { path: `/platform/pipelines?filter=${filter}${query}` })).body.map(({ id }: Json) => id);
    expect(await listed("")).toEqual([a.id, b.id]);
    expect(await listed("&order_by=name%20desc")).toEqual([b.id, a.id]);
    const first = await ask(platform, { path: `/platform/pipelines?filter=${filter}&order_by=name&limit=1` });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await ask(platform, { path: next });
    expect([...first.body, ...second.body]).toEqual([a, b]);
  });

  it("is not found by what the list does not have, which is refused at the character", async () => {
    const path = `/platform/pipelines?filter=${encodeURIComponent("name = x AND colour = red")}&order_by=size`;
    const { status, body } = await ask(platform, { path });
    expect([status, body.detail]).toEqual([
      422,
      [
        {
          type: "filter_invalid",
          loc: ["query", "filter"],
          msg: "at character 14: no such field: use one of name, created_at, archived_at, annotations.<key>",
          input: "name = x AND colour = red",
        },
        {
          type: "order_by_invalid",
          loc: ["query", "order_by"],
          msg: "at character 1: no such field: use one of name, created_at",
          input: "size",
        },
      ],
    ]);
  });

  it("is created once, however often the request is repeated with its key", async () => {
    const wanted = {
      path: "/platform/pipelines",
      body: { name: "Once" },
      headers: { "idempotency-key": randomUUID() },
    };
    const [first, again] = [await ask(platform, wanted), await ask(platform, wanted)];
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("is changed where the request says so", async () => {
    const created = await newPipeline("Digits");
    const path = `/platform/pipelines/${created.id}`;
    const change = { description: "of forms", annotations: { team: "vision" } };
    const changed = await ask(platform, { path, method: "PATCH", body: change });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...created, ...change, updated_at: changed.body.updated_at },
    ]);
    expect((await ask(platform, { path, method: "PATCH", body: {} })).body).toEqual(changed.body);
    expect((await ask(platform, { path })).body).toEqual(changed.body);
    const refused = await ask(platform, { path, method: "PATCH", body: { name: "" } });
    expect([refused.status, refused.body.detail]).toMatchObject([422, [{ loc: ["body", "name"] }]]);
  });

  it("that is archived takes no runs until it is restored", async () => {
    const created = await newPipeline();
    const path = `/platform/pipelines/${created.id}`;
    const archived = await ask(platform, { path: `${path}/archive`, method: "POST" });
    expect([archived.status, archived.body.archived_at]).toEqual([200, expect.any(String)]);
    const refused = await ask(platform, { path: runsPath(created), body: text });
    expect([refused.status, refused.body.code]).toEqual([409, "pipeline_archived"]);
    const restored = await ask(platform, { path: `${path}/restore`, method: "POST" });
    expect([restored.status, restored.body.archived_at]).toEqual([200, null]);
    expect((await ask(platform, { path: runsPath(created), body: text })).status).toBe(201);
  });

  it("is deleted with its runs after a dry run has told of them", async () => {
    const created = await newPipeline();
    const run = await ask(platform, { path: runsPath(created), body: text });
    const path = `/platform/pipelines/${created.id}`;
    const tried = await ask(platform, { path: `${path}?dry_run=true`, method: "DELETE" });
    const uses = { nodes: [], totals: [], left_out: 0 };
    const impact = { message: "The pipeline with 1 run would be deleted.", runs: 1, active_jobs: [], uses };
    expect([tried.status, tried.body]).toEqual([200, { id: created.id, hard_deleted: false, impact_warning: impact }]);
    const deleted = await ask(platform, { path, method: "DELETE" });
    expect([deleted.status, deleted.body.hard_deleted]).toEqual([200, true]);
    const after = await Promise.all([path, runsPath(created)].map((each) => ask(platform, { path: each })));
    expect(after.map(({ status }) => status)).toEqual([404, 404]);
    const look = () => ask(platform, { path: `${runsPath(created)}/${run.body.id}` });
    await until("the run to go", 30, look, ({ status }) => status === 404);
  });

  it.each([
    ["without a name", {}, "missing"],
    ["with an empty name", { name: "" }, "string_too_short"],
    ["with a name that is too long", { name: "x".repeat(256) }, "string_too_long"],
  ])("%s is refused at the name", async (_what, body, type) => {
    const answer = await ask(platform, { path: "/platform/pipelines", body });
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ type, loc: ["body", "name"] }]]);
  });

  it("that does not exist is 404, and so are its runs", async () => {
    const paths = [`/platform/pipelines/${unknown}`, `/platform/pipelines/${unknown}/runs`];
    const answers = await Promise.all(paths.map((path) => ask(platform, { path })));
    const creation = await ask(platform, { path: `/platform/pipelines/${unknown}/runs`, body: text });
    expect([...answers, creation].map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe("a run", () => {
  let pipeline: Json;
  let created: Json;
  beforeAll(async () => {
    pipeline = await newPipeline();
    const answer = await ask(platform, { path: runsPath(pipeline), body: text });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain("12345678901234567890");
    created = answer.body;
  });

  it("is created with its jobs, all queued, and every default is shown", () => {
    expect(created).toEqual({
      id: expect.any(String),
      pipeline_id: pipeline.id,
      name: "First try",
      jobs: [
        {
          job: {
            ...job,
            overrides: [{ ...job.overrides[0], allowed: [] }],
            stall_timeout_seconds: 120,
            heartbeat_timeout_seconds: 60,
            lease_expiry_policy: "keep",
            configuration: expect.objectContaining({ learning_rate: 0.01, epochs: 5 }),
          },
          state: "queued",
          last_sequence: 0,
          position: 0,
          artifact: null,
          detail: "",
        },
      ],
      created_at: expect.any(String),
      tags: { author: "ada" },
      notes: "With a low rate",
      parameters: { learning_rate: 0.01 },
      updated_at: created.created_at,
      datasets: [],
      archived_at: null,
    });
  });

  it("is read by its path, and listed with its pipeline", async () => {
    const read = await ask(platform, { path: `${runsPath(pipeline)}/${created.id}` });
    const listed = await ask(platform, { path: runsPath(pipeline) });
    expect([read.body, listed.body]).toEqual([created, [created]]);
  });

  it("is not found below another pipeline", async () => {
    const other = await newPipeline();
    expect((await ask(platform, { path: `${runsPath(other)}/${created.id}` })).status).toBe(404);
    expect((await ask(platform, { path: runsPath(other) })).body).toEqual([]);
  });

  it("is changed where the request says so, and loses a tag that is set to nothing", async () => {
    const made = await ask(platform, { path: runsPath(pipeline), body: text });
    const path = `${runsPath(pipeline)}/${made.body.id}`;
    const body = { name: "Best", tags: { author: "", stage: "candidate" } };
    const changed = await ask(platform, { path, method: "PATCH", body });
    const expected = { ...made.body, name: "Best", tags: { stage: "candidate" }, updated_at: changed.body.updated_at };
    expect([changed.status, changed.body]).toEqual([200, expected]);
    expect((await ask(platform, { path })).body).toEqual(expected);
    const tags = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`tag-${index}`, "x"]));
    const refused = await ask(platform, { path, method: "PATCH", body: { tags } });
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      [{ type: "tags_too_many", loc: ["body", "tags"] }],
    ]);
  });

  it("is archived, restored and deleted", async () => {
    const made = await ask(platform, { path: runsPath(pipeline), body: text });
    const path = `${runsPath(pipeline)}/${made.body.id}`;
    const archived = await ask(platform, { path: `${path}/archive`, method: "POST" });
    expect([archived.status, archived.body.archived_at]).toEqual([200, expect.any(String)]);
    const taken = await ask(platform, { path: `${path}/jobs/train/trainer`, method: "PUT", body: attachment });
    expect([taken.status, taken.body.code]).toEqual([409, "run_archived"]);
    const restored = await ask(platform, { path: `${path}/restore`, method: "POST" });
    expect([restored.status, restored.body.archived_at]).toEqual([200, null]);
    expect((await ask(platform, { path: `${path}/jobs/train/trainer`, method: "PUT", body: attachment })).status).toBe(
      200,
    );
    const tried = await ask(platform, { path: `${path}?dry_run=true`, method: "DELETE" });
    expect([tried.status, tried.body.impact_warning.message]).toEqual([200, "The run would be deleted."]);
    expect((await ask(platform, { path, method: "DELETE" })).body.hard_deleted).toBe(true);
    expect((await ask(platform, { path })).status).toBe(404);
  });

  it("of a job that names no metric shows that it has none", async () => {
    const { body } = await ask(platform, {
      path: runsPath(pipeline),
      body: { name: "bare", jobs: [{ name: "train", primary_metric_goal: null }] },
    });
    expect(body.jobs[0].job).toEqual({
      name: "train",
      overrides: [],
      primary_metric: "",
      primary_metric_goal: null,
      stall_timeout_seconds: 120,
      heartbeat_timeout_seconds: 60,
      lease_expiry_policy: "keep",
      configuration: {},
    });
  });

  it.each<[string, Json, Json[]]>([
    ["without jobs", { name: "x" }, [{ type: "missing", loc: ["body", "jobs"] }]],
    ["with no job", { name: "x", jobs: [] }, [{ type: "too_short", loc: ["body", "jobs"] }]],
    ["with a job without a name", { name: "x", jobs: [{}] }, [{ type: "missing", loc: ["body", "jobs", 0, "name"] }]],
    [
      "with a job whose name is no name",
      { name: "x", jobs: [{ name: "a b" }] },
      [{ type: "string_pattern_mismatch", loc: ["body", "jobs", 0, "name"] }],
    ],
    [
      "with two jobs of one name",
      { name: "x", jobs: [{ name: "a" }, { name: "a" }] },
      [{ type: "duplicate_name", loc: ["body", "jobs"] }],
    ],
    [
      "with a metric without a goal",
      { name: "x", jobs: [{ name: "a", primary_metric: "loss" }] },
      [{ type: "required", loc: ["body", "jobs", 0, "primary_metric_goal"] }],
    ],
    [
      "with several of these faults",
      { name: "x", jobs: [{ name: "a", primary_metric: "loss" }, { name: "a" }] },
      [
        { type: "duplicate_name", loc: ["body", "jobs"] },
        { type: "required", loc: ["body", "jobs", 0, "primary_metric_goal"] },
      ],
    ],
    [
      "with an override of no type",
      { name: "x", jobs: [{ name: "a", overrides: [{ key: "k", class: "hot" }] }] },
      [{ type: "missing", loc: ["body", "jobs", 0, "overrides", 0, "type"] }],
    ],
  ])("%s is refused where the fault is", async (_what, body, faults) => {
    const answer = await ask(platform, { path: runsPath(pipeline), body });
    expect([answer.status, answer.body.detail]).toMatchObject([422, faults]);
  });

  it("is compared with another by what they declare, and by the curves of a metric", async () => {
    const other = { ...job, configuration: { ...job.configuration, seed: 1, learning_rate: 0.1 } };
    const body = { name: "Second try", jobs: [other], parameters: { note: "faster" } };
    const made = await ask(platform, { path: runsPath(pipeline), body });
    const query = `run_id=${created.id}&run_id=${made.body.id}&metric=test_accuracy&axis=seconds`;
    const answer = await ask(platform, { path: `/platform/run-comparison?${query}` });
    const curve = { pipeline_id: pipeline.id, job_name: "train", state: "queued", x: [], y: [], sampled: false };
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        metric: "test_accuracy",
        axis: "seconds",
        runs: [
          { ...curve, run_id: created.id, name: "First try" },
          { ...curve, run_id: made.body.id, name: "Second try" },
        ],
        differences: [
          { path: "configuration.learning_rate", values: [0.01, 0.1] },
          { path: "configuration.seed" },
          { path: "parameters.learning_rate", values: [0.01, null] },
          { path: "parameters.note", values: [null, "faster"] },
        ],
        truncated: false,
      },
    ]);
    expect(answer.text).toContain('"values":[12345678901234567890,1]');
    const repeated = await ask(platform, {
      path: `/platform/run-comparison?run_id=${created.id}&run_id=${created.id}&metric=x`,
    });
    expect([repeated.status, repeated.body.detail]).toMatchObject([422, [{ loc: ["query", "run_id"] }]]);
  });

  it("shows each of its jobs with what it declares, its state and its segments", async () => {
    const path = `${runsPath(pipeline)}/${created.id}/jobs`;
    const answer = await ask(platform, { path: `${path}/train` });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...created.jobs[0],
        ...{
          pipeline_id: pipeline.id,
          run_id: created.id,
          state_since: null,
          segments: [],
          trainer_seen_at: null,
          resume_at: null,
        },
        ...{ checkpoint_count: 0, newest_checkpoint_id: null, pending_command_count: 0 },
      },
    ]);
    expect((await ask(platform, { path: `${path}/other` })).status).toBe(404);
  });

  it("has no checkpoints before a trainer has saved one", async () => {
    const answer = await ask(platform, { path: `${runsPath(pipeline)}/${created.id}/jobs/train/checkpoints` });
    expect([answer.status, answer.body]).toEqual([200, []]);
  });

  it("has checkpoints of its own jobs only", async () => {
    const answer = await ask(platform, { path: `${runsPath(pipeline)}/${created.id}/jobs/other/checkpoints` });
    expect(answer.status).toBe(404);
  });
});
