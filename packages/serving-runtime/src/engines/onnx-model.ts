import { existsSync } from "node:fs";
import { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import { bounded, LoadError, PredictionError } from "../errors.ts";
import { datatypeOfOnnx, datatypes } from "../protocol/datatypes.ts";
import type { ModelMetadata, TensorMetadata } from "../protocol/inference.ts";
import { invalid, type Tensor } from "../protocol/tensor.ts";

/** An ONNX model, loaded. */
export class OnnxModel {
  readonly metadata: ModelMetadata;
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
    this.metadata = {
      platform: "onnx_onnxv1",
      inputs: session.inputMetadata.map(metadataOf),
      outputs: session.outputMetadata.map(metadataOf),
    };
  }

  /** Loads a file. `threads`: 0 for one on each processor. @throws LoadError ArtifactMissing, ModelLoadFailed */
  static async load(path: string, threads: number): Promise<OnnxModel> {
    if (!existsSync(path)) throw new LoadError("ArtifactMissing", "the model's file is not there");
    try {
      const session = await InferenceSession.create(path, {
        executionProviders: ["cpu"],
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        logSeverityLevel: 4,
      });
      return new OnnxModel(session);
    } catch (error) {
      throw new LoadError("ModelLoadFailed", withoutPath(error, path));
    }
  }

  /**
   * Runs the model. `wanted`: names of outputs; empty: all. The work is done on this thread, which it holds meanwhile.
   * @throws PredictionError invalid for inputs that the model does not take
   */
  async run(inputs: readonly Tensor[], wanted: readonly string[]): Promise<Tensor[]> {
    this.#assertInputs(inputs);
    const names = wanted.length > 0 ? [...wanted] : [...this.#session.outputNames];
    const unknown = names.find((name) => !this.#session.outputNames.includes(name));
    if (unknown !== undefined) throw invalid(`the model has no output ${JSON.stringify(unknown)}`);
    const feeds = Object.fromEntries(inputs.map((tensor) => [tensor.name, toOnnx(tensor)]));
    try {
      const answer = await this.#session.run(feeds, names);
      return names.map((name) => fromOnnx(name, answer[name]));
    } catch (error) {
      throw new PredictionError("model_failed", `The model failed: ${bounded(messageOf(error))}`);
    }
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #assertInputs(inputs: readonly Tensor[]): void {
    const declared = new Map(this.metadata.inputs.map((input) => [input.name, input]));
    for (const [index, tensor] of inputs.entries()) {
      const known = declared.get(tensor.name);
      if (!known) throw invalid(`inputs[${index}].name: the model has no such input; it takes ${[...declared.keys()]}`);
      if (known.datatype !== tensor.datatype) {
        throw invalid(`inputs[${index}].datatype must be ${known.datatype} for ${tensor.name}`);
      }
      if (!fitsShape(tensor.shape, known.shape)) {
        throw invalid(`inputs[${index}].shape must be [${known.shape}] for ${tensor.name}, where -1 is any size`);
      }
      declared.delete(tensor.name);
    }
    const [lacking] = declared.keys();
    if (lacking !== undefined) throw invalid(`inputs: the model also takes ${lacking}`);
  }
}

function fitsShape(shape: readonly number[], declared: readonly number[]): boolean {
  return shape.length === declared.length && declared.every((size, at) => size === -1 || size === shape[at]);
}

function metadataOf(value: InferenceSession.ValueMetadata): TensorMetadata {
  const datatype = value.isTensor ? datatypeOfOnnx(value.type) : undefined;
  if (!value.isTensor || datatype === undefined) throw new Error(`${value.name} is of a type that is not served`);
  const shape = value.shape.map((size) => (typeof size === "number" ? size : -1));
  return { name: value.name, datatype, shape };
}

function toOnnx({ datatype, data, shape }: Tensor): OnnxTensor {
  // The types of ONNX Runtime tie each name to its array, which the table of datatypes did before.
  const Any = OnnxTensor as unknown as new (type: string, data: unknown, dims: readonly number[]) => OnnxTensor;
  return new Any(datatypes[datatype].onnx, data, shape);
}

function fromOnnx(name: string, tensor: OnnxTensor | undefined): Tensor {
  const datatype = tensor && datatypeOfOnnx(tensor.type);
  if (!tensor || !datatype) throw new Error(`the model answered no ${name}`);
  return { name, datatype, shape: tensor.dims, data: tensor.data as Tensor["data"] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Callers must not learn where a file lies on this machine. */
function withoutPath(error: unknown, path: string): string {
  return bounded(messageOf(error).replaceAll(path, "the model"));
}
