import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { type Answer, ask, type Json, metricsPath, type Reachable } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

let run: Reachable;
let attachment: string;
beforeEach(async () => {
  run = { ...platform, ...(await newRun(platform)) };
  attachment = randomUUID();
});

const jobPath = ({ pipeline_id, run_id, job_name }: Reachable) =>
  `/platform/pipelines/${pipeline_id}/runs/${run_id}/jobs/${job_name}`;
const take = (id = attachment, of = run): Promise<Answer> =>
  ask(platform, { method: "PUT", path: `${jobPath(of)}/trainer`, body: { attachment_id: id } });
const send = (body: Json, of = run): Promise<Answer> =>
  ask(platform, { path: `${jobPath(of)}/reports`, body: { attachment_id: attachment, ...body } });
const points = (...values: (number | string)[]) => [
  { name: "loss", steps: values.map((_, index) => index + 1), values },
];
const read = async (headers: Record<string, string> = {}): Promise<Answer> =>
  ask(platform, { path: metricsPath(run), headers });
const refused = ({ status, body }: Answer) => [status, body.code ?? body.detail];

describe("taking a job without a stream", () => {
  it("says where the job stands, and the same when it is repeated", async () => {
    const answers = [await take(), await take()];
    const stand = { state: "queued", durable_counter: 0, active_segment: 0, epoch: 0, overrides: {}, datasets: [] };
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, stand]));
  });

  it("tells a process that starts again above which counter it goes on", async () => {
    await take();
    await send({ counter: 4, columns: points(0.5) });
    expect((await take(randomUUID())).body).toMatchObject({ durable_counter: 4 });
  });

  it("is refused to one that was replaced", async () => {
    await take();
    await take(randomUUID());
    expect(refused(await take())).toEqual([409, "attachment_lost"]);
  });
});

describe("reporting over HTTP", () => {
  beforeEach(async () => {
    expect((await take()).status).toBe(200);
  });

  it("answers when the points are durable, and readers see them", async () => {
    const reported = await send({
      counter: 1,
      columns: points(0.5, "NaN", 0.25),
      phases: [{ phase: "training", status: "running" }],
      logs: [{ message: "epoch 1", source: "train.py", timestamp: "2026-03-02T09:00:35Z" }],
      heartbeat: { source: "runner" },
      resources: { devices: ["cpu:0"], cpu: 1.5, memory: 4096 },
    });
    expect([reported.status, reported.body]).toEqual([200, { durable_counter: 1, sequence: 1 }]);
    const { body } = await read();
    expect(body).toMatchObject({
      sequence: 1,
      series: { loss: { steps: [1, 2, 3], values: [0.5, "NaN", 0.25] } },
      lifecycle: { current_phase: "training", heartbeat_source: "runner", latest_log: { message: "epoch 1" } },
      resources: { devices: ["cpu:0"], cpu: 1.5, memory: 4096 },
    });
  });

  it("stores a repeated report once", async () => {
    const answers = [await send({ counter: 1, columns: points(1) }), await send({ counter: 1, columns: points(1) })];
    expect(answers.map(({ status, body }) => [status, body.durable_counter, body.sequence])).toEqual([
      [200, 1, 1],
      [200, 1, 1],
    ]);
    expect((await read()).body.series.loss.steps).toEqual([1]);
  });

  it("answers a repeat as durable when later ones were stored meanwhile", async () => {
    await send({ counter: 1, columns: points(1) });
    await send({ counter: 2, columns: points(1, 2) });
    const { status, body } = await send({ counter: 1, columns: points(1) });
    expect([status, body]).toEqual([200, { durable_counter: 2, sequence: 2 }]);
  });

  it("refuses one that a later one has passed, since its points are not there", async () => {
    await send({ counter: 1, columns: points(1) });
    await send({ counter: 3, columns: points(1, 2, 3) });
    const passed = await send({ counter: 2, columns: points(1, 2) });
    expect(refused(passed)).toEqual([409, "report_out_of_order"]);
    expect(passed.body.detail).toMatch(/counter 2 came after the one with counter 3 .* counter above that/);
  });

  it("loses none of many that are sent at the same time without saying so", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send({ counter: index + 1, columns: [{ name: `m${index + 1}`, steps: [1], values: [1] }] }),
      ),
    );
    const stored = answers.flatMap(({ status }, index) => (status === 200 ? [`m${index + 1}`] : []));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(Object.keys((await read()).body.series).sort()).toEqual(stored.sort());
  });

  it("refuses a process that was replaced", async () => {
    await take(randomUUID());
    expect(refused(await send({ counter: 1, columns: points(1) }))).toEqual([409, "attachment_lost"]);
  });

  it("refuses a process that has not taken the job", async () => {
    const other = await send({ counter: 1, attachment_id: randomUUID(), columns: points(1) });
    expect(refused(other)).toEqual([409, "attachment_lost"]);
  });

  it.each([
    {
      what: "columns that do not hold together",
      body: { columns: [{ name: "loss", steps: [1, 2], values: [1] }] },
      loc: ["body", "columns", 0, "values"],
      says: "holds 1 values for 2 steps; both must be equally many",
    },
    {
      what: "more points than a batch may have",
      body: {
        columns: ["a", "b"].map((name) => ({ name, steps: Array(50_001).fill(1), values: Array(50_001).fill(1) })),
      },
      loc: ["body", "columns"],
      says: "hold 100002 points; at most 100000 fit into one batch",
    },
    {
      what: "a segment that has not begun",
      body: { segment_index: 3 },
      loc: ["body", "segment_index"],
      says: "is 3, but the newest segment is 0",
    },
    { what: "no counter", body: { counter: 0 }, loc: ["body", "counter"], says: "greater than or equal to 1" },
    {
      what: "a step that is none",
      body: { columns: [{ name: "a", steps: [-1], values: [1] }] },
      loc: ["body", "columns", 0, "steps", 0],
      says: "greater than or equal to 0",
    },
  ])("refuses $what at the field", async ({ body, loc, says }) => {
    const { status, body: answered } = await send({ counter: 1, ...body });
    expect([status, answered.detail[0].loc]).toEqual([422, loc]);
    expect(answered.detail[0].msg).toContain(says);
  });

  it("refuses a body above the gateway's limit, whole or in points", async () => {
    const columns = [{ name: "loss", steps: Array(100_000).fill(1), values: Array(100_000).fill(0.123456789) }];
    expect((await send({ counter: 1, columns })).status).toBe(413);
  });

  it("answers the same 404 for a run that does not exist and one of another organisation", async () => {
    const { foreign } = platform;
    for (const of of [
      { ...run, run_id: randomUUID() },
      { ...run, pipeline_id: randomUUID() },
      { ...run, pipeline_id: foreign.pipeline_id, run_id: foreign.run_id },
      { ...run, run_id: foreign.run_id },
      { ...run, job_name: "none" },
    ]) {
      for (const { status, text } of [await send({ counter: 1 }, of), await take(attachment, of)])
        expect([status, text]).toEqual([404, '{"detail":"Not found"}']);
    }
  });

  it("is seen compressed by a client that takes gzip, the same as by others", async () => {
    await send({ counter: 1, columns: points(...Array.from({ length: 500 }, (_, index) => Math.sin(index))) });
    const whole = await read({ "accept-encoding": "identity" });
    const compressed = await read({ "accept-encoding": "gzip, br" });
    expect([whole, compressed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
    expect({ ...compressed.body, lifecycle: null }).toEqual({ ...whole.body, lifecycle: null });
    const known = await read({ "if-none-match": compressed.headers.get("etag") ?? "" });
    expect([known.status, known.text]).toEqual([304, ""]);
  });
});

const put = (body: Json, of = run): Promise<Answer> => ask(platform, { path: `${jobPath(of)}/metrics`, body });

describe("reporting with one line of curl", () => {
  it("holds and starts a job that no process has taken, and answers when the points are durable", async () => {
    const { status, body } = await put({ metrics: { train_loss: 0.3, grad_norm: "NaN" }, step: 12 });
    const stored = { attachment_id: expect.any(String), segment_index: 0, durable_counter: 1, sequence: 1 };
    expect([status, body]).toEqual([200, stored]);
    expect((await read()).body).toMatchObject({
      status: "running",
      segments: [{ index: 0 }],
      series: { train_loss: { steps: [12], values: [0.3] }, grad_norm: { steps: [12], values: ["NaN"] } },
    });
  });

  it("takes points of many steps in their order", async () => {
    const points = [3, 1, 2].map((step) => ({ step, metrics: { loss: step / 10, accuracy: 1 - step / 10 } }));
    expect((await put({ points, metrics: { loss: 0.4 }, step: 4 })).status).toBe(200);
    const { series } = (await read()).body;
    expect(series.loss).toMatchObject({ steps: [4, 3, 1, 2], values: [0.4, 0.3, 0.1, 0.2] });
    expect(series.accuracy).toMatchObject({ steps: [3, 1, 2], values: [0.7, 0.9, 0.8] });
  });

  it("stores the same request once, also when it comes many times at once and others come between", async () => {
    const body = { metrics: { loss: 0.5, accuracy: 0.1 }, step: 1 };
    const again = { step: 1, metrics: { accuracy: 0.1, loss: 0.5 } };
    const answers = await Promise.all([body, again, { ...body, step: 2 }, body, again].map((one) => put(one)));
    answers.push(await put({ ...body, step: 3 }), await put(body));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { series, sequence } = (await read()).body;
    expect([series.loss.steps.toSorted(), sequence]).toEqual([[1, 2, 3], 3]);
  });

  it("goes on under the id that it answers, for everything else that a trainer does", async () => {
    const { attachment_id, durable_counter } = (await put({ metrics: { loss: 1 }, step: 1 })).body;
    const columns = [{ name: "loss", steps: [2], values: [0.5] }];
    const counter = durable_counter + 1;
    expect((await send({ attachment_id, counter, columns })).status).toBe(200);
    expect((await put({ metrics: { loss: 0.25 }, step: 3 })).body.durable_counter).toBe(counter + 1);
    const state = { attachment_id, state: "completed" };
    expect((await ask(platform, { method: "PUT", path: `${jobPath(run)}/state`, body: state })).status).toBe(200);
    expect((await read()).body).toMatchObject({ status: "completed", series: { loss: { steps: [1, 2, 3] } } });
  });

  it("is refused while a trainer holds the job, and by one that has taken it since", async () => {
    await put({ metrics: { loss: 1 }, step: 1 });
    await take();
    expect(refused(await put({ metrics: { loss: 1 }, step: 2 }))).toEqual([409, "attachment_lost"]);
    expect((await send({ counter: 2, columns: points(1) })).status).toBe(200);
    expect((await read()).body.sequence).toBe(2);
  });

  it("starts no job of an archived run", async () => {
    const runPath = `/platform/pipelines/${run.pipeline_id}/runs/${run.run_id}`;
    await ask(platform, { path: `${runPath}/archive`, body: {} });
    expect(refused(await put({ metrics: { loss: 1 }, step: 1 }))).toEqual([409, "run_archived"]);
  });

  it.each([
    { what: "no points", body: {}, loc: ["body", "metrics"] },
    { what: "metrics without a step", body: { metrics: { loss: 1 } }, loc: ["body", "step"] },
    { what: "a step that is none", body: { metrics: { loss: 1 }, step: -1 }, loc: ["body", "step"] },
    { what: "a value that is none", body: { metrics: { loss: "low" }, step: 1 }, loc: ["body", "metrics", "loss"] },
    {
      what: "too many points",
      body: {
        points: Array.from({ length: 101 }, (_, step) => ({
          step,
          metrics: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, 1])),
        })),
      },
      loc: ["body", "points"],
    },
  ])("refuses $what at the field", async ({ body, loc }) => {
    const { status, body: answered } = await put(body);
    expect([status, answered.detail?.[0].loc]).toEqual([422, loc]);
    expect((await read()).body.status).toBe("queued");
  });

  it("answers 404 for a run of another organisation", async () => {
    const { pipeline_id, run_id } = platform.foreign;
    const { status, text } = await put({ metrics: { loss: 1 }, step: 1 }, { ...run, pipeline_id, run_id });
    expect([status, text]).toEqual([404, '{"detail":"Not found"}']);
  });
});
