import type { Hyperparameters } from "./hyperparameters.ts";

/** Everything the next step depends on besides the images: two equal states have equal futures, to the last bit. */
export interface TrainingState {
  hyperparameters: Hyperparameters;
  /** Steps taken. */
  step: number;
  /** Step at which the learning-rate schedule began. */
  scheduleStart: number;
  /** Passes through the data that are complete. */
  epoch: number;
  /** Images of this pass that are used up. */
  offset: number;
  /** Sums over the steps since the last reported loss. */
  window: { steps: number; loss: number; accuracy: number };
  /** Order of the images in this pass. */
  order: Uint32Array;
  /** State of the random numbers. */
  random: Uint32Array;
  /** All weights and biases. */
  parameters: Float32Array;
  /** The optimizer's momentum, one number a parameter. */
  velocity: Float32Array;
}
