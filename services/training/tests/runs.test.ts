import { randomUUID } from "node:crypto";
import { JobState, type ListRunsResponse, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("creating a pipeline and a run with an idempotency key", () => {
  it("answers a repeat with the first one, and refuses another content", async () => {
    const { runs } = rig.as();
    const idempotencyKey = randomUUID();
    const { pipeline } = await runs.createPipeline({ idempotencyKey, name: "pipeline" });
    expect(await runs.createPipeline({ idempotencyKey, name: "pipeline" })).toMatchObject({ pipeline });
    const renamed = await failureOf(runs.createPipeline({ idempotencyKey, name: "other" }));
    expect(renamed.code).toBe(Code.InvalidArgument);
    const jobs = [
      { name: "train", primaryMetric: "accuracy", primaryMetricGoal: MetricGoal.MAXIMIZE },
      { name: "distil" },
    ];
    const wanted = { idempotencyKey, pipelineId: pipeline?.id ?? "", name: "run", jobs };
    const { run } = await runs.createRun(wanted);
    expect(await runs.createRun(wanted)).toMatchObject({ run });
    const other = { ...wanted, jobs: jobs.slice(0, 1) };
    expect((await failureOf(runs.createRun(other))).code).toBe(Code.InvalidArgument);
  });

  it("refuses a run of a pipeline that is not the organisation's", async () => {
    const { pipeline } = await rig.as({ organisationId: randomUUID() }).runs.createPipeline({ name: "theirs" });
    const wanted = { pipelineId: pipeline?.id ?? "", name: "run", jobs: [{ name: "train" }] };
    expect((await failureOf(rig.as().runs.createRun(wanted))).code).toBe(Code.NotFound);
  });

  it("refuses a configuration that is no JSON object, which was handed to the trainer", async () => {
    const { runs } = rig.as();
    const { pipeline } = await runs.createPipeline({ name: "pipeline" });
    const jobs = [{ name: "train", configuration: { text: "{a" } }];
    const failure = await failureOf(runs.createRun({ pipelineId: pipeline?.id ?? "", name: "run", jobs }));
    expect([failure.code, failure.rawMessage]).toEqual([
      Code.InvalidArgument,
      "jobs[0].configuration: must be the text of a JSON object",
    ]);
  });

  it("refuses two jobs of one name, and a primary metric without its goal", async () => {
    const { runs } = rig.as();
    const { pipeline } = await runs.createPipeline({ name: "pipeline" });
    const pipelineId = pipeline?.id ?? "";
    for (const jobs of [[{ name: "train" }, { name: "train" }], [{ name: "train", primaryMetric: "loss" }]]) {
      expect((await failureOf(runs.createRun({ pipelineId, name: "run", jobs }))).code).toBe(Code.InvalidArgument);
    }
  });
});

describe("listing runs of which each declares megabytes", () => {
  it("is answered in pages that stay small, and shows each run once", async () => {
    const { runs } = rig.as();
    const { pipeline } = await runs.createPipeline({ name: "pipeline" });
    const pipelineId = pipeline?.id ?? "";
    const configuration = { text: JSON.stringify({ note: "x".repeat(60_000) }) };
    const jobs = Array.from({ length: 32 }, (_, index) => ({ name: `job-${index}`, configuration }));
    const created: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { run } = await runs.createRun({ pipelineId, name: "run", jobs });
      created.push(run?.id ?? "");
    }
    const listed: string[][] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page: ListRunsResponse = await runs.listRuns({ pipelineId, cursor });
      listed.push(page.runs.map(({ id }) => id));
      expect(page.runs[0]?.jobs).toHaveLength(32);
      cursor = page.nextCursor || undefined;
    }
    expect(listed.flat()).toEqual(created.toReversed());
    expect(Math.max(...listed.map(({ length }) => length))).toBe(1);
  });

  it("takes no cursor of another's making", async () => {
    const { pipeline } = await rig.as().runs.createPipeline({ name: "pipeline" });
    const forged = rig.as().runs.listRuns({ pipelineId: pipeline?.id ?? "", cursor: "forged" });
    expect((await failureOf(forged)).code).toBe(Code.InvalidArgument);
  });
});

describe("reading runs", () => {
  it("shows each job as it stands, and the newest run first", async () => {
    const clients = rig.as();
    const { pipeline } = await clients.runs.createPipeline({ name: "pipeline" });
    const pipelineId = pipeline?.id ?? "";
    const created: string[] = [];
    for (const name of ["first", "second"]) {
      const { run } = await clients.runs.createRun({ pipelineId, name, jobs: [{ name: "train" }, { name: "distil" }] });
      created.push(run?.id ?? "");
    }
    const job = { pipelineId, runId: created[0] ?? "", jobName: "distil" };
    await using trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.PREPARING);
    const { run } = await rig.as({}, 1).runs.getRun({ runId: job.runId });
    expect(run?.jobs.map(({ state }) => state)).toEqual([JobState.QUEUED, JobState.PREPARING]);
    const { runs } = await clients.runs.listRuns({ pipelineId });
    expect(runs.map(({ id }) => id)).toEqual(created.toReversed());
    const foreign = rig.as({ organisationId: randomUUID() });
    expect((await failureOf(foreign.runs.getRun({ runId: job.runId }))).code).toBe(Code.NotFound);
  });
});
