import { randomUUID } from "node:crypto";
import {
  type LiveMetrics,
  LiveMetricsService,
  LiveStatus,
} from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { SegmentKind } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { HeartbeatSource, LifecyclePhase, PhaseStatus } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, newJob, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 1 });
});
afterAll(() => rig[Symbol.asyncDispose]());

const reader = (metrics: MetricsRig) => createClient(LiveMetricsService, metrics.transport());
const readingOf = ({ job: { pipelineId, runId } }: MetricsRig) => ({ pipelineId, runId });

async function read(metrics: MetricsRig, query: object = {}): Promise<LiveMetrics> {
  const { metrics: answered } = await reader(metrics).getLiveMetrics({ ...readingOf(metrics), ...query });
  return answered ?? Promise.reject(new Error("no metrics were answered"));
}

describe("typed live metrics of a run without reports", () => {
  it("have a status and phases, and nothing else", async () => {
    await using metrics = await MetricsRig.start(rig);
    const { pipelineId, runId } = await newJob(rig.as(), {
      primaryMetric: "loss",
      primaryMetricGoal: MetricGoal.MINIMIZE,
    });
    const { metrics: answered } = await reader(metrics).getLiveMetrics({ pipelineId, runId });
    expect(answered).toMatchObject({ status: LiveStatus.QUEUED, sequence: 0, metrics: [], series: [], segments: [] });
    expect([answered?.updatedAt, answered?.primaryMetric, answered?.resources]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(answered?.lifecycle).toMatchObject({ currentPhase: LifecyclePhase.QUEUED, elapsedSeconds: 0 });
    expect(answered?.lifecycle?.phases.map(({ status }) => status)).toEqual(Array(6).fill(PhaseStatus.PENDING));
  });
});

describe("typed live metrics of a run that reports", () => {
  it("show points, newest and best values, phases, heartbeat and resources", async () => {
    await using metrics = await MetricsRig.start(rig, {
      primaryMetric: "loss",
      primaryMetricGoal: MetricGoal.MINIMIZE,
    });
    const at = timestampFromMs(Date.UTC(2026, 0, 1));
    const points: [number, number][] = [
      [1, 0.5],
      [2, Number.NaN],
      [3, 0.75],
    ];
    await metrics.report([
      metrics.batch(points, {
        phases: [{ phase: LifecyclePhase.TRAINING, status: PhaseStatus.RUNNING, at }],
        heartbeat: { at, source: HeartbeatSource.RUNNER },
        resources: { devices: ["cpu:0"], cpu: 1.5, memory: 12n, observedAt: at },
      }),
    ]);
    const answered = await read(metrics);
    expect(answered).toMatchObject({
      status: LiveStatus.RUNNING,
      sequence: 1,
      metrics: [{ name: "loss", value: 0.75, step: 3 }],
      series: [
        { name: "loss", steps: [1, 2, 3], values: [0.5, Number.NaN, 0.75], segments: [0, 0, 0], sampled: false },
      ],
      primaryMetric: { name: "loss", goal: MetricGoal.MINIMIZE, value: 0.75, step: 3, bestValue: 0.5, bestStep: 1 },
      segments: [{ index: 0, kind: SegmentKind.INITIAL, endStep: 3 }],
      resources: { devices: ["cpu:0"], cpu: 1.5, memory: 12n, observedAt: at },
      lifecycle: {
        currentPhase: LifecyclePhase.TRAINING,
        heartbeatAt: at,
        heartbeatSource: HeartbeatSource.RUNNER,
      },
    });
    expect(answered.primaryMetric?.bestCheckpointId).toBeUndefined();
    expect(answered.resources?.deviceMemory).toBeUndefined();
  });

  it("are those that REST shows", async () => {
    await using metrics = await MetricsRig.start(rig);
    const points = Array.from({ length: 900 }, (_, step): [number, number] => [step, Math.sin(step)]);
    await metrics.report([metrics.batch(points)]);
    const [series] = (await read(metrics, { maxPoints: 100 })).series;
    const { loss } = await metrics.series({ maxPoints: 100 });
    expect(series).toMatchObject({ sampled: true, ...loss });
  });

  it("leave out what is not asked for", async () => {
    await using metrics = await MetricsRig.start(rig);
    const columns = ["loss", "accuracy"].map((name) => ({ name, steps: [1], values: [1] }));
    await metrics.report([metrics.batch([], { columns })]);
    const names = async (query: object) => (await read(metrics, query)).series.map(({ name }) => name);
    expect(await names({ metrics: ["accuracy", "unknown"] })).toEqual(["accuracy"]);
    expect(await names({ maxPoints: 0 })).toEqual([]);
    expect(await names({ afterSequence: 1 })).toEqual([]);
    expect(await names({ segment: 1 })).toEqual([]);
  });

  it("are answered to a reader who waits as soon as there is something newer", async () => {
    await using metrics = await MetricsRig.start(rig);
    const waiting = read(metrics, { afterSequence: 0, waitSeconds: 30 });
    await metrics.report([metrics.batch([[1, 0.5]])]);
    expect((await waiting).sequence).toBe(1);
  });

  it("follow each change to a watcher, who gets what is newer", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 0.5]])]);
    const leaving = new AbortController();
    const watching = reader(metrics).watchLiveMetrics(readingOf(metrics), { signal: leaving.signal });
    const seen: number[][] = [];
    for await (const { metrics: change } of watching) {
      seen.push(change?.series.flatMap(({ steps }) => steps) ?? []);
      if (seen.flat().includes(2)) break;
      if (seen.length === 1) await metrics.report([metrics.batch([[2, 0.4]])]);
    }
    leaving.abort();
    expect(seen.flat()).toEqual([1, 2]);
  });
});

describe("typed live metrics of a run of another organisation", () => {
  it("are not found", async () => {
    await using metrics = await MetricsRig.start(rig);
    const stranger = createClient(LiveMetricsService, metrics.transport(0, randomUUID()));
    expect((await failureOf(stranger.getLiveMetrics(readingOf(metrics)))).code).toBe(Code.NotFound);
  });
});
