import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { TestPlatform, type WantedCommand } from "../../../packages/trainer/tests/test-platform.ts";
import { TrainerProcess } from "../../../packages/trainer/tests/trainer-process.ts";
import { withConfiguration } from "../src/learning/hyperparameters.ts";
import { loadMnist } from "../src/learning/mnist.ts";
import { TrainingSession } from "../src/learning/training-session.ts";

const main = join(import.meta.dirname, "../src/main.ts");

/** Small steps and no evaluation. */
const configuration = {
  batch_size: 8,
  log_every: 5,
  eval_every: 1_000_000,
  checkpoint_every: 40,
  planned_steps: 1_000_000,
};

/** The losses of an uninterrupted run of so many steps. */
async function uninterrupted(steps: number): Promise<[step: number, loss: number][]> {
  const session = TrainingSession.fresh(await loadMnist(), withConfiguration(configuration));
  const curve: [number, number][] = [];
  while (session.step < steps) {
    session.takeStep();
    if (session.step % configuration.log_every === 0) curve.push([session.step, session.takeMean().loss]);
  }
  return curve;
}

/** A platform with a job of this configuration, and the trainer's program on it. */
async function training(more: object = {}) {
  const platform = await new TestPlatform({ ...configuration, ...more }).start();
  const directory = await mkdtemp(join(tmpdir(), "mnist-"));
  const start = () =>
    new TrainerProcess(main, {
      TRAINING_ADDRESS: platform.address,
      API_KEY: "key",
      RUN_ID: platform.runId,
      JOB_NAME: platform.jobName,
      DATA_DIRECTORY: directory,
      STEPS_PER_SECOND: "300",
      EXIT_WHEN_ENDED: "true",
    });
  const reached = (step: number, segment = 0) =>
    eventually(() => platform.curve("train_loss", segment).some(([at]) => at >= step));
  const outcomeOf = async (wanted: WantedCommand) => {
    const id = platform.command(wanted);
    await eventually(() => platform.acknowledged(id).length > 0);
    return platform.acknowledged(id)[0]?.outcome;
  };
  const end = async () => {
    await platform[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  };
  return { platform, start, reached, outcomeOf, [Symbol.asyncDispose]: end };
}

describe("the trainer of the digits", () => {
  it("goes on after a kill, to the last bit", async () => {
    await using at = await training();
    const first = at.start();
    await at.reached(70);
    await first.kill();
    await using _second = at.start();
    await at.reached((at.platform.curve("train_loss", 0).at(-1)?.[0] ?? 0) + 80);
    const curve = at.platform.curve("train_loss", 0);
    expect(curve).toEqual(await uninterrupted(curve.at(-1)?.[0] ?? 0));
  });

  it("takes cold overrides with a warm restart alone, and names the key of those that it refuses", async () => {
    await using at = await training();
    await using _trainer = at.start();
    await eventually(() => at.platform.checkpoints.length > 0);
    const refusals: [Action, object, string][] = [
      [Action.CONTINUE, { batch_size: 4 }, "batch_size"],
      [Action.CONTINUE, { momentum: 2 }, "momentum"],
      [Action.WARM_RESTART, { layers: 3 }, "layers"],
    ];
    for (const [action, overrides, key] of refusals) {
      const outcome = await at.outcomeOf({ action, overrides });
      expect(outcome).toMatchObject({ case: "refused", value: { detail: expect.stringContaining(key) } });
    }
    const checkpointId = at.platform.checkpoints[0]?.id ?? "";
    const overrides = { batch_size: 4, seed: 7 };
    const restarted = await at.outcomeOf({ action: Action.WARM_RESTART, checkpointId, overrides });
    expect(restarted).toMatchObject({ case: "applied", value: { startStep: 40 } });
    await at.reached(60, 1);
  });

  it("publishes the best checkpoint as ONNX when the schedule has run out, and ends", async () => {
    await using at = await training({ planned_steps: 60, eval_every: 20 });
    const trainer = at.start();
    expect(await trainer.ended()).toBe(0);
    expect(at.platform.states.slice(-2)).toEqual([JobState.FINISHING, JobState.COMPLETED]);
    expect(at.platform.artifacts).toMatchObject([{ format: "onnx", metrics: { test_accuracy: expect.any(Number) } }]);
    expect(at.platform.curve("test_accuracy", 0).map(([step]) => step)).toEqual([20, 40]);
  });
});
