import { defaultHyperparameters } from "../../../examples/mnist-trainer/src/learning/hyperparameters.ts";
import { loadMnist, type Mnist } from "../../../examples/mnist-trainer/src/learning/mnist.ts";
import { TrainingSession } from "../../../examples/mnist-trainer/src/learning/training-session.ts";
import { encodeOnnx } from "../../../examples/mnist-trainer/src/onnx/onnx-model.ts";

export interface TrainedModel {
  /** The export, as the example's trainer writes it. */
  readonly onnx: Uint8Array;
  readonly mnist: Mnist;
  /** Grey values of a test image. */
  readonly image: (index: number) => number[];
}

const pixels = 784;

/** The example's network after a few hundred steps on the real images. */
export async function trainModel(steps = 400): Promise<TrainedModel> {
  const mnist = await loadMnist();
  const session = TrainingSession.fresh(mnist, defaultHyperparameters);
  for (let step = 0; step < steps; step++) session.takeStep();
  const onnx = encodeOnnx(session.state().parameters, { steps: String(steps) });
  return { onnx, mnist, image: (index) => Array.from(mnist.testImages.subarray(index * pixels, (index + 1) * pixels)) };
}

/** The digit of the largest probability. */
export function digitOf(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities));
}
