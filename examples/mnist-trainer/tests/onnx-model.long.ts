import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultHyperparameters } from "../src/learning/hyperparameters.ts";
import { loadMnist, type Mnist } from "../src/learning/mnist.ts";
import { NetworkPass } from "../src/learning/network.ts";
import { TrainingSession } from "../src/learning/training-session.ts";
import { encodeOnnx } from "../src/onnx/onnx-model.ts";
import { namedDigits } from "./named-digits.ts";

const steps = 2_400;

describe(`the network after ${steps} real steps, as an ONNX file in a stock runtime`, () => {
  let directory: string;
  let mnist: Mnist;
  let session: TrainingSession;
  let named: number[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "onnx-"));
    mnist = await loadMnist();
    session = TrainingSession.fresh(mnist, defaultHyperparameters);
    for (let step = 0; step < steps; step++) session.takeStep();
    const path = join(directory, "model.onnx");
    await writeFile(path, encodeOnnx(session.state().parameters, { step: String(steps) }));
    named = await namedDigits(path);
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("names more than 95 % of the 10,000 test images", () => {
    const right = mnist.testLabels.filter((label, image) => named[image] === label).length;
    expect(right / mnist.testLabels.length).toBeGreaterThan(0.95);
  });

  it("names what the trainer's own network names", () => {
    const pass = new NetworkPass(session.state().parameters);
    const different = named.filter((digit, image) => {
      pass.input.set(mnist.testImages.subarray(image * 784, image * 784 + 784));
      return !pass.judge(digit).correct;
    });
    // Float sums in another order may tip an image that lies on the border.
    expect(different.length).toBeLessThanOrEqual(2);
  });
});
