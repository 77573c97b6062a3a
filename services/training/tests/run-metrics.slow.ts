import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { LifecyclePhase, PhaseStatus } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig, type Series, seriesOf, textOf } from "./metrics-rig.ts";
import { failureOf, newJob, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("a run without reports", () => {
  it("is queued, with every phase pending and nothing in it", async () => {
    const clients = rig.as();
    const job = await newJob(clients, { primaryMetric: "loss", primaryMetricGoal: MetricGoal.MINIMIZE });
    await using metrics = await MetricsRig.start(rig);
    const { metrics: read } = await metrics.reader().getRunMetrics({ pipelineId: job.pipelineId, runId: job.runId });
    expect(read).toMatchObject({
      status: "queued",
      sequence: 0,
      schemaVersion: "training-metrics.v3",
      activeSegment: 0,
      segments: [],
    });
    expect(read?.updatedAt).toBeUndefined();
    expect([read?.metrics, read?.series, read?.primaryMetric, read?.resources].map(textOf)).toEqual([
      "{}",
      "{}",
      "{}",
      "{}",
    ]);
    expect(read?.lifecycle).toMatchObject({ currentPhase: "queued", elapsedSeconds: 0 });
    expect(read?.lifecycle?.phases.map(({ name, status }) => [name, status])).toEqual(
      ["queued", "preparing", "training", "evaluating", "checkpointing", "finalizing"].map((name) => [name, "pending"]),
    );
  });
});

describe("a run that cannot be found", () => {
  it.each(["runId", "pipelineId", "jobName"] as const)("by its %s is not found", async (field) => {
    await using metrics = await MetricsRig.start(rig);
    const { pipelineId, runId } = metrics.job;
    const call = metrics.reader().getRunMetrics({ pipelineId, runId, [field]: randomUUID() });
    expect((await failureOf(call)).code).toBe(Code.NotFound);
  });

  it("because it is another organisation's is not found either", async () => {
    await using metrics = await MetricsRig.start(rig);
    const { pipelineId, runId } = metrics.job;
    const stranger = metrics.reader(0, randomUUID());
    const failure = await failureOf(stranger.getRunMetrics({ pipelineId, runId }));
    expect([failure.code, failure.message]).toEqual([Code.NotFound, "[not_found] Not found"]);
  });
});

describe("points without an attachment", () => {
  it("are stored once, whichever replicas take the same ones at the same time", async () => {
    const job = await newJob(rig.as());
    const takers = [rig.as().trainers, rig.as({}, 1).trainers];
    const points = [1, 1, 2, 2, 3, 3].map((step) => ({ ...job, step, metrics: { loss: step } }));
    const answers = await Promise.all(points.map((point, index) => takers[index % 2]?.sendMetrics(point)));
    expect(new Set(answers.map((answer) => answer?.attachmentId)).size).toBe(1);
    const newest = Math.max(...answers.map((answer) => answer?.sequence ?? 0));
    expect([
      newest,
      answers
        .map((answer) => answer?.durableCounter)
        .toSorted()
        .at(-1),
    ]).toEqual([3, 3]);
  });
});

describe("reporting", () => {
  it("answers each batch once it is durable, with the run's sequence", async () => {
    await using metrics = await MetricsRig.start(rig);
    const answers = await metrics.report([
      metrics.batch([[1, 0.5]]),
      metrics.batch([[2, 0.4]]),
      metrics.batch([[3, 0.3]]),
    ]);
    expect(answers.map(({ durableCounter }) => durableCounter).at(-1)).toBe(3);
    expect(answers).toHaveLength(3);
    expect((await metrics.read()).sequence).toBe(3);
  });

  it("drops a batch whose counter was seen, and answers it as durable", async () => {
    await using metrics = await MetricsRig.start(rig);
    const batch = metrics.batch([[1, 0.5]]);
    await metrics.report([batch]);
    const [again] = await metrics.report([batch], 1);
    expect(again).toMatchObject({ durableCounter: 1, sequence: 1 });
    expect((await metrics.series())["loss"]?.steps).toEqual([1]);
  });

  it("gives two jobs of a run on two replicas one sequence without a gap", async () => {
    const clients = rig.as();
    const { pipeline } = await clients.runs.createPipeline({ name: "p" });
    const { run } = await clients.runs.createRun({
      pipelineId: pipeline?.id ?? "",
      name: "r",
      jobs: [{ name: "a" }, { name: "b" }],
    });
    await using metrics = await MetricsRig.start(rig);
    const address = { pipelineId: pipeline?.id ?? "", runId: run?.id ?? "" };
    const trainers = ["a", "b"].map((jobName) => new TestTrainer(clients, { ...address, jobName }));
    await Promise.all(trainers.map((trainer) => trainer.attach()));
    await Promise.all(trainers.map((trainer) => trainer.report(JobState.RUNNING)));
    const sent = trainers.map(async (trainer, replica) => {
      const batches = Array.from({ length: 60 }, (_, index) => ({
        ...trainer.address,
        counter: index + 1,
        columns: [{ name: "x", steps: [index], values: [replica] }],
      }));
      return metrics.report(batches, replica);
    });
    await Promise.all(sent);
    for (const trainer of trainers) await trainer[Symbol.asyncDispose]();
    const stored = await rig.store.database
      .collection("metric_buckets")
      .find({ run_id: address.runId })
      .sort({ _id: 1 })
      .toArray();
    expect(stored.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    for (const replica of [0, 1]) {
      for (const jobName of ["a", "b"]) {
        const { metrics: read } = await metrics.reader(replica).getRunMetrics({ ...address, jobName });
        expect(read?.sequence).toBe(120);
        expect(seriesOf(read ?? (Promise.reject() as never))["x"]?.steps).toHaveLength(60);
      }
    }
  });

  it.each([
    { columns: [{ name: "loss", steps: [1, 2], values: [1] }], field: "columns[0].values" },
    {
      columns: Array.from({ length: 2 }, (_, index) => ({
        name: `m${index}`,
        steps: new Array(60_000).fill(1),
        values: new Array(60_000).fill(1),
      })),
      field: "columns",
    },
  ])("refuses $field that do not hold together", async ({ columns, field }) => {
    await using metrics = await MetricsRig.start(rig);
    const failure = await failureOf(metrics.report([metrics.batch([], { columns })]));
    expect(failure.code).toBe(Code.InvalidArgument);
    expect(failure.message).toContain(`${field}:`);
  });

  it("refuses a segment that has not begun", async () => {
    await using metrics = await MetricsRig.start(rig);
    const failure = await failureOf(metrics.report([metrics.batch([[1, 1]], { segmentIndex: 3 })]));
    expect(failure.message).toContain("segment_index: is 3");
  });

  it("refuses a trainer that was replaced", async () => {
    await using metrics = await MetricsRig.start(rig);
    await using newer = await new TestTrainer(rig.as({}, 1), metrics.job).attach();
    const failure = await failureOf(metrics.report([metrics.batch([[1, 1]])], 1));
    expect(failure.code).toBe(Code.FailedPrecondition);
    await metrics.report([metrics.batch([[1, 1]], newer.address)]);
    expect((await failureOf(metrics.report([metrics.batch([[2, 1]])]))).code).toBe(Code.FailedPrecondition);
  });
});

describe("reading", () => {
  it("shows points, newest and best values, phases, log, heartbeat and resources", async () => {
    await using metrics = await MetricsRig.start(rig, {
      primaryMetric: "loss",
      primaryMetricGoal: MetricGoal.MINIMIZE,
    });
    const at = timestampFromMs(Date.UTC(2026, 0, 1));
    await metrics.report([
      metrics.batch(
        [
          [1, 0.5],
          [2, 0.25],
          [3, 0.75],
        ],
        {
          phases: [{ phase: LifecyclePhase.TRAINING, status: PhaseStatus.RUNNING, at }],
          logs: [
            { message: "one", source: "loop", timestamp: at },
            { message: "two", source: "loop", timestamp: at },
          ],
          heartbeat: { at, source: 2 },
          resources: { devices: ["cpu:0"], cpu: 1.5, memory: 12n, observedAt: at },
        },
      ),
    ]);
    const read = await metrics.read();
    expect(read.status).toBe("running");
    expect(JSON.parse(textOf(read.metrics))["loss"]).toMatchObject({ value: 0.75, step: 3 });
    expect(JSON.parse(textOf(read.primaryMetric))).toEqual({
      name: "loss",
      goal: "minimize",
      value: 0.75,
      step: 3,
      best_value: 0.25,
      best_step: 2,
      best_checkpoint_id: null,
    });
    expect(JSON.parse(textOf(read.resources))).toEqual({
      devices: ["cpu:0"],
      device_memory: null,
      cpu: 1.5,
      memory: 12,
      observed_at: "2026-01-01T00:00:00.000Z",
    });
    expect(read.lifecycle).toMatchObject({
      currentPhase: "training",
      heartbeatSource: "runner",
      heartbeatAt: at,
      latestLog: { message: "two" },
    });
    expect(read.segments).toMatchObject([{ index: 0, kind: 1, endStep: 3 }]);
  });

  it("thins to the bound, keeps both extremes and says so", async () => {
    await using metrics = await MetricsRig.start(rig);
    const value = (step: number) => (step === 1_234 ? 99 : step === 4_321 ? -99 : Math.sin(step));
    const batches = Array.from({ length: 10 }, (_, batch) =>
      metrics.batch(Array.from({ length: 1_000 }, (_, index) => [batch * 1_000 + index, value(batch * 1_000 + index)])),
    );
    await metrics.report(batches);
    const loss = (await metrics.series())["loss"];
    expect(loss?.sampled).toBe(true);
    expect(loss?.steps.length).toBeLessThanOrEqual(200);
    expect([loss?.steps[0], loss?.steps.at(-1)]).toEqual([0, 9_999]);
    expect(loss?.values).toEqual(expect.arrayContaining([99, -99]));
    for (const maxPoints of [1, 2, 3, 7])
      expect((await metrics.series({ maxPoints }))["loss"]?.steps.length).toBeLessThanOrEqual(maxPoints);
    expect(await metrics.series({ maxPoints: 0 })).toEqual({});
    expect(Object.keys(await metrics.series({ metric: ["accuracy"] }))).toEqual([]);
  });

  it("shows less of each metric where there are many, unless the reader says how much", async () => {
    await using metrics = await MetricsRig.start(rig);
    const steps = Array.from({ length: 250 }, (_, step) => step);
    const columns = Array.from({ length: 200 }, (_, index) => ({ name: `m${index}`, steps, values: steps }));
    await metrics.report([metrics.batch([], { columns })]);
    const longest = (series: Record<string, Series>) =>
      Math.max(...Object.values(series).map(({ steps }) => steps.length));
    expect(longest(await metrics.series())).toBe(100);
    expect(longest(await metrics.series({ metric: ["m1", "m2"] }))).toBe(200);
    expect(longest(await metrics.series({ maxPoints: 250 }))).toBe(250);
  });

  it("is rendered as REST shows it for the transcoder, and not at all where the client has it", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch(Array.from({ length: 100 }, (_, step) => [step, Math.sin(step)]))]);
    const { pipelineId, runId } = metrics.job;
    const answered = async (headers: Record<string, string>) => {
      let header = new Headers();
      const onHeader = (given: Headers) => {
        header = given;
      };
      return { ...(await metrics.reader().getRunMetrics({ pipelineId, runId }, { headers, onHeader })), header };
    };
    const plain = await answered({ "transcoder-accept-encoding": "identity" });
    const compressed = await answered({ "transcoder-accept-encoding": "gzip,br" });
    expect([plain.metrics, plain.rendered?.coding, compressed.rendered?.coding]).toEqual([undefined, "", "gzip"]);
    const body = JSON.parse(Buffer.from(plain.rendered?.data ?? []).toString());
    expect(JSON.parse(gunzipSync(compressed.rendered?.data ?? Buffer.alloc(0)).toString()).series).toEqual(body.series);
    expect(body).toMatchObject({ status: "running", sequence: 1, series: await metrics.series() });
    const known = await answered({ "transcoder-if-none-match": plain.header.get("etag") ?? "" });
    expect([known.metrics, known.rendered, known.header.get("transcoder-not-modified")]).toEqual([
      undefined,
      undefined,
      "true",
    ]);
  });

  it("gives a reader who passes the sequence back only what is newer", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]]), metrics.batch([[2, 2]])]);
    expect((await metrics.series({ afterSequence: 1n }))["loss"]?.steps).toEqual([2]);
    expect(await metrics.series({ afterSequence: 2n })).toEqual({});
  });

  it("has a tag that stays while nothing changes, and differs by what was asked", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]])]);
    const { pipelineId, runId } = metrics.job;
    const tagOf = async (query: object) => {
      const { promise, resolve } = Promise.withResolvers<string | null>();
      await metrics
        .reader()
        .getRunMetrics({ pipelineId, runId, ...query }, { onHeader: (headers) => resolve(headers.get("etag")) });
      return promise;
    };
    const tag = await tagOf({});
    expect(tag).toMatch(/^W\/"1-\d+-running-/);
    expect(await tagOf({})).toBe(tag);
    expect(await tagOf({ maxPoints: 7 })).not.toBe(tag);
    await metrics.report([metrics.batch([[2, 1]])]);
    expect(await tagOf({})).not.toBe(tag);
  });
});

describe("a job that was rolled back", () => {
  it("archives what it left, whatever replica is asked, and late batches too", async () => {
    await using metrics = await MetricsRig.start(rig);
    const checkpointId = randomUUID();
    await metrics.report([
      metrics.batch([
        [1, 1],
        [2, 2],
      ]),
    ]);
    await metrics.trainer.checkpoint({ id: checkpointId, step: 2, segmentIndex: 0 });
    await metrics.report([
      metrics.batch([
        [3, 30],
        [4, 40],
      ]),
    ]);
    await metrics.readUntil(({ sequence }) => sequence === 2, {}, 1);
    const { commands } = rig.as();
    const { command } = await commands.createTrainingControlCommand({
      ...metrics.job,
      action: TrainingControlAction.ROLLBACK,
      checkpointId,
      idempotencyKey: randomUUID(),
    });
    await metrics.trainer.delivered(1);
    await metrics.trainer.report(JobState.RESTORING);
    await metrics.trainer.applied(command?.id ?? "", { checkpointId, startStep: 2 });
    await metrics.report([metrics.batch([[3, 3]], { segmentIndex: 1 }), metrics.batch([[9, 9]], { segmentIndex: 0 })]);
    for (const replica of [0, 1]) {
      const read = await metrics.readUntil(
        ({ sequence, activeSegment }) => sequence === 4 && activeSegment === 1,
        {},
        replica,
      );
      expect(seriesOf(read)["loss"]).toEqual({
        steps: [1, 2, 3],
        values: [1, 2, 3],
        segments: [0, 0, 1],
        sampled: false,
      });
      expect(read.segments[0]?.archivedFromStep).toBe(2);
      const all = (await metrics.series({ includeArchived: true }, replica))["loss"];
      expect(all?.steps).toEqual([1, 2, 3, 4, 9, 3]);
    }
  });
});

describe("a replica that folds a run it has never seen", () => {
  it("answers byte for byte what the one that followed it answers", async () => {
    await using metrics = await MetricsRig.start(rig, {
      primaryMetric: "loss",
      primaryMetricGoal: MetricGoal.MINIMIZE,
    });
    await metrics.read();
    const odd = (step: number) => (step % 997 === 0 ? Number.NaN : Math.sin(step / 50) * (step % 13));
    for (let batch = 0; batch < 30; batch++) {
      const points = Array.from({ length: 1_000 }, (_, index): [number, number] => [
        batch * 1_000 + index,
        odd(batch * 1_000 + index),
      ]);
      await metrics.report([metrics.batch(points)]);
      await metrics.read();
    }
    for (const query of [{}, { maxPoints: 5_000 }, { afterSequence: 29n }, { afterSequence: 3n, maxPoints: 3 }]) {
      const [followed, folded] = await Promise.all([metrics.read(query, 0), metrics.read(query, 1)]);
      const { sequence, series, metrics: newest, primaryMetric } = followed;
      expect([sequence, series, newest, primaryMetric]).toEqual([
        30,
        folded.series,
        folded.metrics,
        folded.primaryMetric,
      ]);
    }
  });
});
