import { randomUUID } from "node:crypto";
import { ComparisonAxis, RunComparisonService } from "@aiplatform/contract/aiplatform/training/v1/run_comparisons";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { failureOf, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2 }));
});
afterAll(() => cleanUp.disposeAsync());

const rate = (text: string) => ({ configuration: { text: `{"learning_rate":${text},"epochs":5}` } });

/** A run that has reported these values of `loss`, one a step. */
async function runOf(values: readonly number[], declaration = {}): Promise<MetricsRig> {
  const metrics = cleanUp.use(await MetricsRig.start(rig, declaration));
  const points = values.map((value, index): [number, number] => [index + 1, value]);
  const middle = Math.ceil(points.length / 2);
  await metrics.report([metrics.batch(points.slice(0, middle)), metrics.batch(points.slice(middle))]);
  return metrics;
}

const comparisons = (metrics: MetricsRig, replica = 0) =>
  createClient(RunComparisonService, metrics.transport(replica));

describe("comparing runs", () => {
  it("answers the curve of each in the order asked for, and what differs in their configurations", async () => {
    const slow = await runOf([4, 3, 2], rate("0.01"));
    const fast = await runOf([4, 1], rate("1e-1"));
    const runId = [fast.job.runId, slow.job.runId];
    const { comparison } = await comparisons(slow, 1).compareRuns({ runId, metric: "loss" });
    expect(comparison).toMatchObject({ metric: "loss", axis: ComparisonAxis.STEP, truncated: false });
    expect(comparison?.runs).toMatchObject([
      { runId: fast.job.runId, jobName: "train", state: JobState.RUNNING, x: [1, 2], y: [4, 1], sampled: false },
      { runId: slow.job.runId, jobName: "train", state: JobState.RUNNING, x: [1, 2, 3], y: [4, 3, 2], sampled: false },
    ]);
    const differences = comparison?.differences.map(({ path, values }) => [path, values.map(({ text }) => text)]);
    expect(differences).toEqual([["configuration.learning_rate", ["1e-1", "0.01"]]]);
  });

  it("keeps extremes where it leaves points out", async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => (index === 417 ? -50 : index === 612 ? 50 : 1));
    const spiky = await runOf(values);
    const wanted = { runId: [spiky.job.runId], metric: "loss", maxPoints: 20 };
    const [curve] = (await comparisons(spiky).compareRuns(wanted)).comparison?.runs ?? [];
    expect(curve?.sampled).toBe(true);
    expect(curve?.y.length).toBeLessThanOrEqual(20);
    const at = (value: number) => curve?.x[curve.y.indexOf(value)];
    expect([at(-50), at(50), curve?.x.at(-1)]).toEqual([418, 613, 1_000]);
  });

  it("places points by the seconds in which the job took steps, where that is asked for", async () => {
    const run = await runOf([3, 2, 1]);
    const wanted = { runId: [run.job.runId], metric: "loss", axis: ComparisonAxis.SECONDS };
    const { comparison } = await comparisons(run).compareRuns(wanted);
    const [curve] = comparison?.runs ?? [];
    expect([comparison?.axis, curve?.y]).toEqual([ComparisonAxis.SECONDS, [3, 2, 1]]);
    expect(curve?.x).toEqual(curve?.x.toSorted((one, other) => one - other));
    expect(curve?.x[0]).toBeGreaterThan(0);
    expect(curve?.x[2]).toBeLessThan(60);
  });

  it("answers no points of a metric that a run lacks, and 404 for a run that is not the organisation's", async () => {
    const run = await runOf([1]);
    const { comparison } = await comparisons(run).compareRuns({ runId: [run.job.runId], metric: "accuracy" });
    expect(comparison?.runs).toMatchObject([{ x: [], y: [], sampled: false }]);
    const foreign = createClient(RunComparisonService, run.transport(0, randomUUID()));
    const refused = await failureOf(foreign.compareRuns({ runId: [run.job.runId], metric: "loss" }));
    expect(refused.code).toBe(Code.NotFound);
  });
});
