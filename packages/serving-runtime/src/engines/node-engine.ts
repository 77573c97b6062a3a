import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { LoadError, PredictionError } from "../errors.ts";
import { HandlerHost } from "../handler/handler-host.ts";
import type { InterfaceCheck } from "../interface-check.ts";
import type { ServingManifest } from "../manifest.ts";
import type { InferenceAnswer, InferenceRequest, ModelMetadata } from "../protocol/inference.ts";
import { invalid, isRecord, type JsonTensor, type Tensor, tensorFromJson, tensorToJson } from "../protocol/tensor.ts";
import type { Engine } from "./engine.ts";
import type { OnnxModel } from "./onnx-model.ts";

export interface NodeEngineParts {
  /** Directory with `handler.mjs`; models at `models/<alias>.onnx`. */
  readonly directory: string;
  readonly manifest: ServingManifest;
  /** Files that the process can read and the handler shall not. */
  readonly hidden: readonly string[];
  readonly threads: number;
  /** By which a handler with the network reaches it; undefined: without one. */
  readonly proxy: string | undefined;
  readonly loadTimeoutMs: number;
  readonly maxAnswer: number;
  readonly check: InterfaceCheck;
  /** Hears of a handler that does not load again. */
  readonly onUnfit: (error: LoadError) => void;
}

/** What a handler takes and answers where it is spoken to in tensors: JSON in a text. */
const metadata: ModelMetadata = {
  platform: "node_handler",
  inputs: [{ name: "input", datatype: "BYTES", shape: [1] }],
  outputs: [{ name: "output", datatype: "BYTES", shape: [1] }],
};
/** What the rest of the process takes, MiB, before the handler does anything. */
const processMb = 96;
const minHeapMb = 32;

/** @throws LoadError */
export async function createNodeEngine(parts: NodeEngineParts): Promise<Engine> {
  const { directory, manifest, check } = parts;
  if (!existsSync(join(directory, "handler.mjs"))) throw new LoadError("ArtifactMissing", "there is no handler.mjs");
  const models = await loadModels(directory, parts.threads);
  const data = {
    directory,
    models: Object.fromEntries([...models.keys()].map((alias) => [alias, join(directory, "models", `${alias}.onnx`)])),
    datasets: manifest.datasets ?? [],
    network: manifest.network,
    proxy: parts.proxy,
    hidden: parts.hidden,
    maxAnswer: parts.maxAnswer,
  };
  const host = await HandlerHost.start(
    {
      data,
      heapMb: Math.max(minHeapMb, manifest.memory_mb - processMb),
      memoryMb: manifest.memory_mb,
      loadTimeoutMs: parts.loadTimeoutMs,
      infer: (alias, inputs) => inferWith(models, alias, inputs),
    },
    parts.onUnfit,
  );
  return {
    metadata,
    async infer(request, signal) {
      const input = inputOf(request);
      check.assertInput(input);
      const output: unknown = JSON.parse(await host.call(input, { ...request.parameters }, signal));
      check.assertOutput(output);
      return answerOf(request, output);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      for (const model of models.values()) await model.close();
    },
  };
}

async function loadModels(directory: string, threads: number): Promise<Map<string, OnnxModel>> {
  const files = globSync("models/*.onnx", { cwd: directory }).sort();
  if (files.length === 0) return new Map();
  // Native, and allowed only where there are models.
  const { OnnxModel } = await import("./onnx-model.ts");
  const models = new Map<string, OnnxModel>();
  for (const file of files) models.set(basename(file, ".onnx"), await OnnxModel.load(join(directory, file), threads));
  return models;
}

async function inferWith(models: Map<string, OnnxModel>, alias: string, inputs: unknown): Promise<JsonTensor[]> {
  const model = models.get(alias);
  if (!model) throw invalid(`there is no model ${alias}`);
  if (!Array.isArray(inputs)) throw invalid("inputs must be an array of tensors");
  const tensors = inputs.map((input, index) => tensorFromJson(`inputs[${index}]`, input));
  return (await model.run(tensors, [])).map(tensorToJson);
}

/** What the handler receives: plain JSON, JSON in a text, or the tensors as JSON writes them. */
function inputOf({ plain, inputs }: InferenceRequest): unknown {
  if (plain) return plain.input;
  const text = inputs.length === 1 ? onlyText(inputs[0]) : undefined;
  if (text === undefined) return { inputs: inputs.map(tensorToJson) };
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("inputs[0].data[0] must be JSON");
  }
}

function onlyText(tensor: Tensor | undefined): string | undefined {
  const isText = tensor?.name === "input" && Array.isArray(tensor.data) && tensor.data.length === 1;
  return isText ? String(tensor.data[0]) : undefined;
}

function answerOf({ plain }: InferenceRequest, output: unknown): InferenceAnswer {
  if (plain) return { output };
  if (!isRecord(output) || !Array.isArray(output["outputs"])) {
    return { outputs: [{ name: "output", datatype: "BYTES", shape: [1], data: [JSON.stringify(output)] }] };
  }
  try {
    return { outputs: output["outputs"].map((tensor, index) => tensorFromJson(`outputs[${index}]`, tensor)) };
  } catch (error) {
    const said = error instanceof PredictionError ? error.message : "they cannot be read";
    throw new PredictionError("output_mismatch", `The handler's outputs are not tensors: ${said}`);
  }
}
