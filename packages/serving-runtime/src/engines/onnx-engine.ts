import { globSync } from "node:fs";
import { join } from "node:path";
import { LoadError } from "../errors.ts";
import type { InterfaceCheck } from "../interface-check.ts";
import { invalid, tensorToJson } from "../protocol/tensor.ts";
import type { Engine } from "./engine.ts";

export interface OnnxEngineParts {
  /** Directory with exactly one `.onnx` file, at any depth. */
  readonly directory: string;
  readonly threads: number;
  readonly check: InterfaceCheck;
  /** Whether the version has an interface: only then are tensors written out to be looked at. */
  readonly isChecked: boolean;
}

/** @throws LoadError */
export async function createOnnxEngine({ directory, threads, check, isChecked }: OnnxEngineParts): Promise<Engine> {
  const found = globSync("**/*.onnx", { cwd: directory });
  const [file] = found;
  if (file === undefined) throw new LoadError("ArtifactMissing", "there is no .onnx file");
  if (found.length > 1) throw new LoadError("InvalidBundle", `there is more than one .onnx file: ${found.sort()}`);
  // A native module: it is loaded only when there is a model.
  const { OnnxModel } = await import("./onnx-model.ts");
  const model = await OnnxModel.load(join(directory, file), threads);
  return {
    metadata: model.metadata,
    async infer({ inputs, wanted, plain }) {
      if (plain) throw invalid("inputs must be an array of tensors: this deployment serves a model, not a handler");
      if (isChecked) check.assertInput({ inputs: inputs.map(tensorToJson) });
      const outputs = await model.run(inputs, wanted);
      if (isChecked) check.assertOutput({ outputs: outputs.map(tensorToJson) });
      return { outputs };
    },
    [Symbol.asyncDispose]: () => model.close(),
  };
}
