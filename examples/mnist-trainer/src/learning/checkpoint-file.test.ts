import { CheckpointFileError } from "@aiplatform/trainer";
import { describe, expect, it } from "vitest";
import { decodeCheckpoint, encodeCheckpoint } from "./checkpoint-file.ts";
import { defaultHyperparameters } from "./hyperparameters.ts";
import type { TrainingState } from "./training-state.ts";

const state: TrainingState = {
  hyperparameters: defaultHyperparameters,
  step: 5,
  scheduleStart: 0,
  epoch: 1,
  offset: 7,
  window: { steps: 1, loss: 0.1, accuracy: 1 },
  order: Uint32Array.of(2, 0, 1),
  random: Uint32Array.of(1, 2, 3, 4_294_967_295),
  parameters: Float32Array.of(0.1, -0, Number.POSITIVE_INFINITY, Number.NaN),
  velocity: Float32Array.of(1e-45, 3.4e38),
};
const label = { id: "0190c0de-0000-7000-8000-000000000001", segmentIndex: 3, metrics: { loss: 1 }, createdAt: 1 };

describe("a checkpoint file", () => {
  it("holds every bit of the training state", () => {
    expect(decodeCheckpoint("x", encodeCheckpoint(label, state))).toEqual({ label, state });
  });

  it("that is damaged is refused, naming it, whichever byte is wrong", () => {
    const intact = encodeCheckpoint(label, state);
    for (const at of [0, 9, 40, intact.length - 40, intact.length - 1]) {
      const damaged = intact.with(at, (intact[at] ?? 0) ^ 1);
      expect(() => decodeCheckpoint("the/file", damaged)).toThrow(CheckpointFileError);
    }
    expect(() => decodeCheckpoint("the/file", intact.subarray(0, 100))).toThrow("the/file");
  });
});
