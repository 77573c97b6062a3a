import { describe, expect, it } from "vitest";
import { mnistJob } from "../mnist-job.ts";
import { defaultHyperparameters, overridable, withConfiguration, withOverrides } from "./hyperparameters.ts";
import { isFullEvaluation, learningRateAt } from "./schedule.ts";

describe("overrides", () => {
  it.each([
    ["hot", { learning_rate: 0.5, momentum: 0, eval_every: 1, log_every: 7 }, false],
    ["cold", { batch_size: 4_096, seed: 4_294_967_295 }, true],
  ])("that are %s are taken over: %j", (_, overrides, cold) => {
    const changed = withOverrides(defaultHyperparameters, overrides, cold);
    for (const [key, value] of Object.entries(overrides)) {
      const rule = overridable[key];
      expect(rule && changed[rule.key]).toBe(value);
    }
  });

  it.each([
    [{ batch_size: 8 }, "batch_size can only be changed by a warm restart"],
    [{ learning_rate: 1.5 }, "learning_rate must be from 0 to 1"],
    [{ learning_rate: "fast" }, "learning_rate must be a number"],
    [{ eval_every: 2.5 }, "eval_every must be a whole number"],
    [{ planned_steps: 5 }, "planned_steps is not a setting of this trainer"],
    [{ constructor: 5 }, "constructor is not a setting of this trainer"],
  ])("%j are refused: %s", (overrides, message) => {
    expect(() => withOverrides(defaultHyperparameters, overrides, false)).toThrow(message);
  });

  it("are declared to the platform with the same limits", () => {
    expect(mnistJob.overrides.map(({ key }) => key)).toEqual(Object.keys(overridable));
  });
});

describe("a job's configuration", () => {
  it("may also set what commands may not", () => {
    expect(withConfiguration({ planned_steps: 5, checkpoint_every: 2 })).toMatchObject({
      plannedSteps: 5,
      checkpointEvery: 2,
    });
  });
});

describe("the schedule", () => {
  it("rises, peaks, and falls to a hundredth", () => {
    expect(learningRateAt(1, 0, 10_000)).toBeCloseTo(0.01, 6);
    expect(learningRateAt(1, 100, 10_000)).toBeGreaterThan(0.99);
    expect(learningRateAt(1, 10_000, 10_000)).toBeCloseTo(0.01, 6);
  });

  it("takes all test images often at first and then every eighth time", () => {
    const full = Array.from({ length: 24 }, (_, index) => (index + 1) * 25).filter((step) =>
      isFullEvaluation(step, 25),
    );
    expect(full).toEqual([25, 50, 100, 200, 400, 600]);
  });
});
