import { randomUUID } from "node:crypto";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import {
  ListMediaRequestSchema,
  MediaKind,
  MediaService,
  type ReportedMediaSchema,
} from "@aiplatform/contract/aiplatform/training/v1/media";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { declaredQueries, type ListQueryTexts, withoutIndex } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStores } from "../src/stores.ts";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, newJob, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2 }));
});
afterAll(() => cleanUp.disposeAsync());

type Medium = Omit<MessageInitShape<typeof ReportedMediaSchema>, "$typeName">;

const { HISTOGRAM, IMAGE, TABLE, TEXT } = MediaKind;
const sha256 = "a".repeat(64);
const text = (step: number, value = `at ${step}`, name = "note"): Medium => ({
  name,
  step,
  kind: TEXT,
  content: { case: "text", value },
});
const oneOfEachKind: Medium[] = [
  { name: "weights", step: 1, kind: HISTOGRAM, content: { case: "histogram", value: { edges: [0, 1], counts: [3] } } },
  {
    name: "samples",
    step: 2,
    kind: IMAGE,
    content: { case: "file", value: { sha256, mediaType: "image/png", sizeBytes: 68n } },
  },
  {
    name: "errors",
    step: 3,
    kind: TABLE,
    content: { case: "table", value: { text: '{"columns":["a"],"rows":[[1.50]]}' } },
  },
  text(4),
];

async function job(media: Medium[] = []): Promise<MetricsRig> {
  const started = cleanUp.use(await MetricsRig.start(rig));
  if (media.length > 0) await started.report([started.batch([[1, 0.5]], { media })]);
  return started;
}

const mediaOf = (of: MetricsRig, replica = 1, organisationId = rig.organisationId) =>
  createClient(MediaService, of.transport(replica, organisationId));

type Query = Omit<MessageInitShape<typeof ListMediaRequestSchema>, "$typeName" | "pipelineId" | "runId">;
async function stepsOf(of: MetricsRig, query: Query = {}): Promise<string[]> {
  const { media } = await mediaOf(of).listMedia({ ...of.job, ...query });
  return media.map(({ name, step }) => `${name} ${step}`);
}

describe("media of a report", () => {
  it("are listed with their content at every replica, and are durable when the report is", async () => {
    const of = await job(oneOfEachKind);
    const { media } = await mediaOf(of).listMedia(of.job);
    const common = { jobName: of.job.jobName, segmentIndex: 0, archived: false };
    expect(media).toMatchObject(oneOfEachKind.map((medium) => ({ ...common, ...medium })));
    const { names } = await mediaOf(of).listMediaNames(of.job);
    expect(names).toMatchObject([
      { name: "errors", kind: TABLE, count: 1, firstStep: 3, lastStep: 3 },
      { name: "note", kind: TEXT, count: 1, firstStep: 4, lastStep: 4 },
      { name: "samples", kind: IMAGE, count: 1, firstStep: 2, lastStep: 2 },
      { name: "weights", kind: HISTOGRAM, count: 1, firstStep: 1, lastStep: 1 },
    ]);
  });

  it("are found by name, kind and step, in either order, page by page", async () => {
    const of = await job([...oneOfEachKind, text(9), text(6)]);
    expect(await stepsOf(of, { filter: "name = note AND step >= 5" })).toEqual(["note 6", "note 9"]);
    expect(await stepsOf(of, { filter: "kind = image OR kind = table", orderBy: "step desc" })).toEqual([
      "errors 3",
      "samples 2",
    ]);
    const first = await mediaOf(of).listMedia({ ...of.job, limit: 4 });
    expect(await stepsOf(of, { cursor: first.nextCursor })).toEqual(["note 6", "note 9"]);
  });

  it("are found by an index, whatever is asked for", async () => {
    const of = await job(oneOfEachKind);
    const ask = (query: ListQueryTexts) => mediaOf(of).listMedia({ ...of.job, ...query });
    expect(await withoutIndex(rig.store, declaredQueries(ListMediaRequestSchema), ask)).toEqual([]);
  });

  it("are stored once, whatever brings them again", async () => {
    const of = await job();
    const batch = of.batch([[1, 1]], { media: [text(1), text(1, "another text")] });
    await of.report([batch]);
    await of.report([batch], 1);
    await of.report([of.batch([[2, 2]], { media: [text(1)] })], 1);
    const { media } = await mediaOf(of).listMedia(of.job);
    expect(media.map(({ content }) => content.value).sort()).toEqual(["another text", "at 1"]);
  });

  it("may come in any number of a name, of which an even part is kept", async () => {
    const of = await job();
    for (const from of [0, 100, 200]) {
      await of.report([
        of.batch([[from, 1]], { media: Array.from({ length: 100 }, (_, index) => text(from + index)) }),
      ]);
    }
    const { names } = await mediaOf(of).listMediaNames(of.job);
    expect(names).toMatchObject([{ count: 100, firstStep: 0, lastStep: 299 }]);
  });

  it("are refused with more names than a job may have, and none of them is stored then", async () => {
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => text(1, "text", `name ${from + index}`));
    const of = await job(named(0, 99));
    const failure = await failureOf(of.report([of.batch([[2, 2]], { media: named(99, 2) })]));
    expect([failure.code, failure.message]).toEqual([Code.InvalidArgument, expect.stringContaining("100 names")]);
    expect((await mediaOf(of).listMediaNames(of.job)).names).toHaveLength(99);
  });

  it("are archived with the steps that a rollback leaves", async () => {
    const of = await job([text(1), text(2)]);
    const checkpointId = randomUUID();
    await of.trainer.checkpoint({ id: checkpointId, step: 2, segmentIndex: 0 });
    await of.report([of.batch([[3, 3]], { media: [text(3)] })]);
    const { command } = await rig.as().commands.createTrainingControlCommand({
      ...of.job,
      action: TrainingControlAction.ROLLBACK,
      checkpointId,
      idempotencyKey: randomUUID(),
    });
    await of.trainer.delivered(1);
    await of.trainer.report(JobState.RESTORING);
    await of.trainer.applied(command?.id ?? "", { checkpointId, startStep: 2 });
    await of.report([
      of.batch([[3, 3]], { segmentIndex: 1, media: [text(3)] }),
      of.batch([[2, 2]], { segmentIndex: 0, media: [text(2, "late")] }),
    ]);
    const { media } = await mediaOf(of).listMedia({ ...of.job, includeArchived: true });
    const described = media.map(({ step, segmentIndex, archived }) => `${step} of ${segmentIndex} ${archived}`);
    expect(described.toSorted()).toEqual([
      "1 of 0 false",
      "2 of 0 false",
      "2 of 0 true",
      "3 of 0 true",
      "3 of 1 false",
    ]);
    expect(await stepsOf(of)).toEqual(["note 1", "note 2", "note 3"]);
    expect((await mediaOf(of).listMediaNames(of.job)).names).toMatchObject([{ count: 3, lastStep: 3 }]);
  });

  it("are an event for watchers of live metrics, also without points", async () => {
    const of = await job([text(1)]);
    const left = new AbortController();
    const events = of.watch({ afterSequence: 1n }, left.signal, 1);
    const next = async () => (await events.next()).value?.metrics?.sequence;
    await of.report([{ ...of.batch([]), columns: [], media: [text(2)] }]);
    for (let sequence = await next(); sequence !== 2; sequence = await next());
    left.abort();
  });

  it("are another organisation's own", async () => {
    const of = await job(oneOfEachKind);
    const foreign = mediaOf(of, 0, randomUUID());
    expect((await failureOf(foreign.listMedia(of.job))).code).toBe(Code.NotFound);
    expect((await failureOf(foreign.listMediaNames(of.job))).code).toBe(Code.NotFound);
  });

  it("say which artifacts they name", async () => {
    await job(oneOfEachKind);
    const { media } = createStores(rig.store, { retentionMs: 1, maxBytesPerJob: 1 });
    expect(await media.artifactsAmong(rig.organisationId, [sha256, "b".repeat(64)])).toEqual([sha256]);
    expect(await media.artifactsAmong(randomUUID(), [sha256])).toEqual([]);
  });
});

describe("media of a script", () => {
  it("need no points, no trainer and no counter, and are stored once", async () => {
    const clients = rig.as();
    const { pipelineId, runId, jobName } = await newJob(clients);
    const send = (media: Medium[]) => clients.trainers.sendMetrics({ pipelineId, runId, jobName, media });
    await send([text(1)]);
    const { sequence } = await send([text(2)]);
    expect(await send([text(2)])).toMatchObject({ sequence });
    const of = createClient(MediaService, (await job()).transport());
    const { media } = await of.listMedia({ pipelineId, runId });
    expect(media.map(({ step }) => step)).toEqual([1, 2]);
  });

  it("are refused at their field before the job is held", async () => {
    const clients = rig.as();
    const { pipelineId, runId, jobName } = await newJob(clients);
    const media = [{ ...text(1), kind: IMAGE }];
    const failure = await failureOf(clients.trainers.sendMetrics({ pipelineId, runId, jobName, media }));
    expect(failure.message).toContain("media[0].text: is no content of an image: give file");
    const { run } = await clients.runs.getRun({ pipelineId, runId });
    expect(run?.jobs[0]?.state).toBe(JobState.QUEUED);
  });
});
