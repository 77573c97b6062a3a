import { randomUUID } from "node:crypto";
import {
  JobStateChangedSchema,
  PipelineDeletedSchema,
  RunDeletedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import { MediaKind } from "@aiplatform/contract/aiplatform/training/v1/media";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { decodeEvent, eventType } from "@aiplatform/event-stream";
import { eventually } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trainingIndexes } from "../src/stores.ts";
import { MetricsRig } from "./metrics-rig.ts";
import { hearPublished, withoutRepeats } from "./published-events.ts";
import { type Clients, failureOf, newJob, runningJob, TrainingRig } from "./training-rig.ts";

/** What had begun before a deletion has ended after this time: a last look is taken then. */
const settleMs = 1_000;

let rig: TrainingRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2, settings: { PURGE_SETTLE_MS: String(settleMs) } }));
});
afterAll(() => cleanUp.disposeAsync());

const collection = (name: string) => rig.store.database.collection<{ _id: string }>(name);

const names = [...new Set(trainingIndexes.map(({ collection }) => collection))].sort();

/** Collections in which something of the run is left, the run itself and its deletion included. */
async function leftOf(runId: string): Promise<string[]> {
  const filter = { _id: { $regex: `^${runId}` } };
  const found = await Promise.all(names.map((name) => collection(name).findOne(filter)));
  return names.filter((_name, index) => found[index]);
}

const isGone = (runId: string) => eventually(async () => (await leftOf(runId)).length === 0, `all of ${runId} to go`);

/** A run of a job that has reported and failed. */
async function endedRun(): Promise<{ pipelineId: string; runId: string }> {
  await using metrics = await MetricsRig.start(rig);
  const logs = [{ message: "epoch 1", source: "train.py" }];
  const media = [{ name: "note", step: 1, kind: MediaKind.TEXT, content: { case: "text", value: "hello" } as const }];
  await metrics.report([metrics.batch([[1, 0.5]], { logs, media })]);
  await metrics.trainer.report(JobState.FAILED);
  const { runId } = metrics.job;
  await eventually(async () => (await leftOf(runId)).includes("run_values"), "the run's last metrics");
  return metrics.job;
}

async function pipelineWithRuns({ runs }: Clients, count: number) {
  const { pipeline } = await runs.createPipeline({ name: "pipeline" });
  const pipelineId = pipeline?.id ?? "";
  const runIds: string[] = [];
  for (let index = 0; index < count; index++) {
    const { run } = await runs.createRun({ pipelineId, name: `run ${index}`, jobs: [{ name: "train" }] });
    runIds.push(run?.id ?? "");
  }
  return { pipelineId, runIds };
}

describe("deleting a run", () => {
  it("removes all that is stored of it, and nothing of its neighbours", async () => {
    const [doomed, other] = [await endedRun(), await endedRun()];
    const before = await leftOf(other.runId);
    const reported = ["log_batches", "media_names", "metric_buckets", "metric_names", "run_media", "run_values"];
    expect(before).toEqual(["job_log", ...reported, "runs"]);
    expect(await leftOf(doomed.runId)).toEqual(before);
    const { runs } = rig.as();
    const tried = await runs.deleteRun({ ...doomed, dryRun: true });
    expect(tried.result).toMatchObject({ hardDeleted: false, impactWarning: { message: "The run would be deleted." } });
    expect(await leftOf(doomed.runId)).toEqual(before);
    const { result } = await runs.deleteRun(doomed);
    expect(result).toMatchObject({ id: doomed.runId, hardDeleted: true });
    expect((await failureOf(runs.deleteRun(doomed))).code).toBe(Code.NotFound);
    await isGone(doomed.runId);
    expect(await leftOf(other.runId)).toEqual(before);
  });

  it("is refused while one of its jobs is active, and names the job", async () => {
    const { job, trainer } = await runningJob(rig);
    await using _ = trainer;
    expect(await failureOf(rig.as({}, 1).runs.deleteRun(job))).toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: `These jobs are active: train of run ${job.runId}. Abort them or wait for their end`,
    });
  });

  it("ends at every replica what was known of it: readers, watchers and trainers get 404", async () => {
    const job = await newJob(rig.as());
    const others = rig.as({}, 1);
    const left = new AbortController();
    const watching = others.commands.watchControlCommands(job, { signal: left.signal })[Symbol.asyncIterator]();
    const watched = failureOf(watching.next());
    await others.commands.listControlCommands(job);
    await rig.as().runs.deleteRun(job);
    const listed = () =>
      others.commands.listControlCommands(job).then(
        () => false,
        () => true,
      );
    await eventually(listed, "the other replica to forget the run");
    const taking = others.trainers.takeJob({ ...job, attachmentId: randomUUID() });
    expect((await failureOf(taking)).code).toBe(Code.NotFound);
    expect((await watched).code).toBe(Code.NotFound);
    left.abort();
  });

  it("removes what a call has written that had begun before it", async () => {
    const job = await newJob(rig.as());
    await rig.as().runs.deleteRun(job);
    await eventually(async () => (await collection("deletions").findOne({ _id: job.runId, holder: null })) !== null);
    const late = { _id: `${job.runId}:train:0000000007`, organisation_id: rig.organisationId, run_id: job.runId };
    await rig.store.database.collection<typeof late>("job_log").insertOne(late);
    await isGone(job.runId);
  });

  it("keeps its log until the events in it are published", async () => {
    const doomed = await endedRun();
    const ofRun = { _id: { $regex: `^${doomed.runId}` } };
    const waiting = () => collection("job_log").countDocuments({ ...ofRun, published: false });
    await eventually(async () => (await waiting()) === 0, "the events of the run to be published");
    await using heard = await hearPublished(rig.home);
    const lost = { ...ofRun, kind: "state_reported" };
    await collection("job_log").updateMany(lost, { $set: { published: false }, $inc: { losses: 1 } });
    await rig.as().runs.deleteRun(doomed);
    await isGone(doomed.runId);
    const changes = heard.events.filter(({ type }) => type === eventType(JobStateChangedSchema));
    expect(changes.map(({ data }) => decodeEvent(JobStateChangedSchema, data).toState)).toEqual(["running", "failed"]);
  });

  it("gives back what it counted of the quotas", async () => {
    const settings = { QUOTAS: JSON.stringify({ pipelines: 1, runs: 1, run_configuration_bytes: 1_000 }) };
    await using scarce = await TrainingRig.start({ settings });
    const { runs } = scarce.as();
    for (let round = 0; round < 3; round++) {
      const { pipelineId, runIds } = await pipelineWithRuns(scarce.as(), 1);
      await runs.deleteRun({ pipelineId, runId: runIds[0] ?? "" });
      await runs.createRun({ pipelineId, name: "again", jobs: [{ name: "train" }], parameters: { text: '{"a":1}' } });
      await runs.deletePipeline({ pipelineId });
      const isCounted = async () => (await scarce.store.database.collection("runs").countDocuments()) === 0;
      await eventually(isCounted, "the pipeline's run to go");
    }
  });
});

describe("deleting a pipeline", () => {
  it("deletes its runs, and announces each of them once", async () => {
    await using heard = await hearPublished(rig.home);
    const { pipelineId, runIds } = await pipelineWithRuns(rig.as(), 3);
    const tried = await rig.as().runs.deletePipeline({ pipelineId, dryRun: true });
    expect(tried.result?.impactWarning).toMatchObject({
      runs: 3,
      message: "The pipeline with 3 runs would be deleted.",
    });
    await rig.as().runs.deletePipeline({ pipelineId });
    expect((await failureOf(rig.as({}, 1).runs.listRuns({ pipelineId }))).code).toBe(Code.NotFound);
    for (const runId of runIds) await isGone(runId);
    const kinds = [PipelineDeletedSchema, RunDeletedSchema].map((schema) => eventType(schema));
    const of = (type: string | undefined) => withoutRepeats(heard.events).filter((event) => event.type === type).length;
    await eventually(() => of(kinds[0]) === 1 && of(kinds[1]) === 3, "the events of the deletion");
    expect(await collection("deletions").findOne({ _id: pipelineId })).toBeNull();
  });

  it("that a killed process has left half done is finished by another", async () => {
    const { pipelineId, runIds } = await pipelineWithRuns(rig.as(), 2);
    await collection("pipelines").deleteOne({ _id: pipelineId });
    const past = new Date(Date.now() - 60_000);
    const stored = {
      ...{ _id: pipelineId, organisation_id: rig.organisationId, kind: "pipeline", pipeline_id: pipelineId },
      ...{ deleted_at: past, holder: "killed", due_at: past, failures: 0 },
    };
    await rig.store.database.collection<typeof stored>("deletions").insertOne(stored);
    for (const runId of runIds) await isGone(runId);
  });
});
