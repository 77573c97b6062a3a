// Run as `node stock-runtime.ts <file.onnx>`: prints the digit that the model names for each of the 10,000 test images.
// A process of its own because the runtime's native half does not know the typed arrays of a test's sandbox.
import { readFile } from "node:fs/promises";
import ort from "onnxruntime-node";
import { loadMnist } from "../src/learning/mnist.ts";

const model = await ort.InferenceSession.create(await readFile(process.argv[2] ?? ""));
const { testImages, testLabels } = await loadMnist();
const answer = await model.run({ images: new ort.Tensor("float32", testImages, [testLabels.length, 784]) });
const probabilities = answer["probabilities"]?.data;
if (!(probabilities instanceof Float32Array)) throw new Error("the model answers no floats");
const named = Array.from(testLabels, (_, image) => {
  const row = probabilities.subarray(image * 10, image * 10 + 10);
  return row.indexOf(Math.max(...row));
});
process.stdout.write(JSON.stringify(named));
