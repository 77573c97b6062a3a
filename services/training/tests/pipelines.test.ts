import { randomUUID } from "node:crypto";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, type JobName, newJob, runningJob, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

const collection = (name: string) => rig.store.database.collection<{ _id: string }>(name);

async function ended({ job, trainer }: Awaited<ReturnType<typeof runningJob>>): Promise<JobName> {
  await trainer.report(JobState.FAILED);
  await trainer[Symbol.asyncDispose]();
  return job;
}

describe("updating a pipeline", () => {
  it("changes what is named, keeps the rest, and leaves out nothing that two callers change at once", async () => {
    const { runs } = rig.as();
    const created = await runs.createPipeline({ name: "Digits", description: "old", annotations: { text: '{"a":1}' } });
    const pipelineId = created.pipeline?.id ?? "";
    await Promise.all([
      runs.updatePipeline({ pipelineId, name: "Numbers" }),
      rig.as({}, 1).runs.updatePipeline({ pipelineId, annotations: { text: '{"b":10000000000000000001}' } }),
    ]);
    const { pipeline } = await runs.getPipeline({ pipelineId });
    expect(pipeline).toMatchObject({ name: "Numbers", description: "old", createdAt: created.pipeline?.createdAt });
    expect(pipeline?.annotations?.text).toBe('{"b":10000000000000000001}');
  });

  it("refuses annotations that are too long", async () => {
    const { runs } = rig.as();
    const annotations = { text: JSON.stringify({ note: "x".repeat(16_384) }) };
    const failure = await failureOf(runs.createPipeline({ name: "p", annotations }));
    expect([failure.code, failure.rawMessage]).toEqual([
      Code.InvalidArgument,
      "annotations: has more than 16384 bytes",
    ]);
  });
});

describe("a pipeline with an active job", () => {
  it("is neither archived nor deleted, and a dry run says why", async () => {
    const { job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const { runs } = rig.as({}, 1);
    const { pipelineId, runId, jobName } = job;
    for (const refuse of [runs.archivePipeline, runs.deletePipeline]) {
      expect(await failureOf(refuse({ pipelineId }))).toMatchObject({
        code: Code.FailedPrecondition,
        rawMessage: `These jobs are active: train of run ${runId}. Abort them or wait for their end`,
      });
    }
    const { result } = await runs.deletePipeline({ pipelineId, dryRun: true });
    expect(result).toMatchObject({
      hardDeleted: false,
      impactWarning: { runs: 1, message: "The pipeline with 1 run cannot be deleted: 1 job active." },
    });
    expect(result?.impactWarning?.activeJobs).toMatchObject([{ runId, jobName }]);
  });

  it("is archived once the job has ended, also when the process that wrote its end was killed then", async () => {
    const { pipelineId, runId } = await ended(await runningJob(rig));
    const entry = await collection("job_log").findOne({ _id: { $regex: `^${runId}` } });
    await collection("job_log").updateOne({ _id: entry?._id ?? "" }, { $set: { active: true } });
    const { pipeline } = await rig.as({}, 1).runs.archivePipeline({ pipelineId });
    expect(pipeline?.archivedAt).toBeDefined();
    expect(await collection("job_log").countDocuments({ pipeline_id: pipelineId, active: true })).toBe(0);
  });
});

describe("an archived pipeline", () => {
  it("takes no run and no trainer at any replica, until it is restored", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    const { pipelineId } = job;
    const archived = await clients.runs.archivePipeline({ pipelineId });
    expect(await clients.runs.archivePipeline({ pipelineId })).toEqual(archived);
    const others = rig.as({}, 1);
    const refused = { code: Code.FailedPrecondition, rawMessage: "The pipeline is archived. Restore it first" };
    const creation = others.runs.createRun({ pipelineId, name: "run", jobs: [{ name: "train" }] });
    expect(await failureOf(creation)).toMatchObject(refused);
    const taking = others.trainers.takeJob({ ...job, attachmentId: randomUUID() });
    expect(await failureOf(taking)).toMatchObject(refused);
    const attaching = others.trainers.attach({ ...job, attachmentId: randomUUID() });
    expect(await failureOf(attaching[Symbol.asyncIterator]().next())).toMatchObject(refused);
    const { pipeline } = await others.runs.restorePipeline({ pipelineId });
    expect(pipeline?.archivedAt).toBeUndefined();
    await clients.trainers.takeJob({ ...job, attachmentId: randomUUID() });
  });
});
