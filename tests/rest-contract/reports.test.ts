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
    const stand = { state: "queued", durable_counter: 0, active_segment: 0, epoch: 0 };
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
