import { randomUUID } from "node:crypto";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Completions } from "./completions.ts";
import { MetricsRig } from "./metrics-rig.ts";
import { TrainingRig } from "./training-rig.ts";

const declaration = { primaryMetric: "accuracy", primaryMetricGoal: MetricGoal.MAXIMIZE };

describe("a job that ends well", () => {
  let rig: TrainingRig;
  let completions: Completions;
  beforeAll(async () => {
    rig = await TrainingRig.start({ replicas: 2 });
    completions = await Completions.subscribe(rig.home);
  });
  afterAll(async () => {
    await completions[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
  });

  it("announces the newest value of each metric, and which is the primary one", async () => {
    await using metrics = await MetricsRig.start(rig, declaration);
    const columns = [
      { name: "loss", steps: [1, 2], values: [3, 2.5] },
      { name: "accuracy", steps: [2], values: [0.25] },
    ];
    await metrics.report([metrics.batch([], { columns }), metrics.batch([[3, 2]])]);
    await metrics.trainer.report(JobState.COMPLETED);
    const expected = { metrics: { loss: 2, accuracy: 0.25 }, primaryMetric: "accuracy" };
    expect(await completions.of(metrics.job.runId)).toEqual(expected);
  });

  it("announces what another replica took a moment before", async () => {
    for (let value = 1; value <= 5; value++) {
      await using metrics = await MetricsRig.start(rig);
      await metrics.report([metrics.batch([[1, 0]])]);
      await metrics.read({}, 0);
      await metrics.report([metrics.batch([[2, value]])], 1);
      await metrics.trainer.report(JobState.COMPLETED);
      expect(await completions.of(metrics.job.runId)).toEqual({ metrics: { loss: value }, primaryMetric: "" });
    }
  });

  it("announces them when it was told to finish, too", async () => {
    await using metrics = await MetricsRig.start(rig, declaration);
    await metrics.report([metrics.batch([[1, 7]])]);
    const checkpointId = randomUUID();
    await metrics.trainer.checkpoint({ id: checkpointId, step: 1 });
    const action = Action.FINISH_FROM_CHECKPOINT;
    const wanted = { ...metrics.job, action, idempotencyKey: randomUUID() };
    const { command } = await rig.as().commands.createTrainingControlCommand(wanted);
    await metrics.trainer.applied(command?.id ?? "", { checkpointId });
    expect(await completions.of(metrics.job.runId)).toEqual({ metrics: { loss: 7 }, primaryMetric: "accuracy" });
  });

  it("announces none when it had none", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.trainer.report(JobState.COMPLETED);
    expect(await completions.of(metrics.job.runId)).toEqual({ metrics: {}, primaryMetric: "" });
  });
});
