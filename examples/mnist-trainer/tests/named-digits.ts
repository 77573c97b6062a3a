import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Mnist } from "../src/learning/mnist.ts";

const script = fileURLToPath(new URL("stock-runtime.ts", import.meta.url));

/** The digits that a stock ONNX runtime, given the file, names for the 10,000 test images. */
export async function namedDigits(path: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, path]);
  return JSON.parse(stdout);
}

/** Share of the test images that a stock ONNX runtime names rightly. */
export async function stockAccuracy(path: string, { testLabels }: Mnist): Promise<number> {
  const named = await namedDigits(path);
  return testLabels.filter((label, image) => named[image] === label).length / testLabels.length;
}
