import { membersOf } from "../../api/members.ts";

/** A tensor of the Open Inference Protocol; -1 in its shape is any number. */
export interface TensorMetadata {
  name: string;
  datatype: string;
  shape: number[];
}

/** What a model takes. */
export interface ModelMetadata {
  inputs: TensorMetadata[];
}

/** Reads what a model says of itself; null where it names no tensors. */
export function readMetadata(answer: unknown): ModelMetadata | null {
  const inputs = tensorsOf(membersOf(answer)["inputs"]);
  return inputs.length > 0 ? { inputs } : null;
}

function tensorsOf(value: unknown): TensorMetadata[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) => {
    const { name, datatype, shape } = membersOf(each);
    return { name: String(name), datatype: String(datatype), shape: Array.isArray(shape) ? shape.map(Number) : [] };
  });
}

/** The shape of a tensor with one of each where any number may be. */
export function minShape({ shape }: TensorMetadata): number[] {
  return shape.map((size) => (size < 0 ? 1 : size));
}

/** Most values that an example has: a larger one is no help to people. */
const maxExampleValues = 4_096;

/** A body to begin with: zeros in the shapes that the model takes, one of each where any number may be. */
export function exampleBody(metadata: ModelMetadata | null): unknown {
  if (!metadata) return { input: {} };
  const inputs = metadata.inputs.map((input) => {
    const { name, datatype } = input;
    const shape = minShape(input);
    const count = Math.min(
      shape.reduce((product, size) => product * size, 1),
      maxExampleValues,
    );
    return { name, datatype, shape, data: Array.from({ length: count }, () => 0) };
  });
  return { inputs };
}

/** The input that a drawn digit of 28 by 28 pixels fits, if there is one. */
export function digitInput(metadata: ModelMetadata | null): TensorMetadata | undefined {
  const [input] = metadata?.inputs ?? [];
  const isDigit =
    input?.datatype === "FP32" && input.shape.filter((size) => size > 0).reduce((one, size) => one * size, 1) === 784;
  return metadata?.inputs.length === 1 && isDigit ? input : undefined;
}

/** The values of the first tensor of an answer; empty where it has none. */
export function firstOutput(answer: unknown): number[] {
  const { outputs } = membersOf(answer);
  const [first] = Array.isArray(outputs) ? outputs : [];
  const { data } = membersOf(first);
  return Array.isArray(data) ? data.map(Number) : [];
}
