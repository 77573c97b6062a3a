import { type DeploymentMaker, maxDimensions, UnfitRowsError } from "./embedding.ts";
import type { ModelInput } from "./row-inputs.ts";

/** The vectors that a model has answered. */
export interface Vectors {
  readonly dimensions: number;
  /** In the order of the inputs. */
  readonly vectors: readonly Float32Array[];
}

type Names = Pick<DeploymentMaker, "input" | "output">;

/** A request of the Open Inference Protocol, as JSON. All tensors have the same length. @throws UnfitRowsError */
export function inferenceRequest({ input, output }: Names, inputs: readonly ModelInput[]): Uint8Array {
  const [first = ""] = inputs;
  const tensor =
    typeof first === "string"
      ? { name: input, datatype: "BYTES", shape: [inputs.length], data: inputs }
      : { name: input, datatype: "FP32", shape: [inputs.length, first.length], data: flat(inputs, first.length) };
  return Buffer.from(JSON.stringify({ inputs: [tensor], outputs: [{ name: output }] }));
}

function flat(inputs: readonly ModelInput[], length: number): ModelInput[number][] {
  if (inputs.every((each) => each.length === length)) return inputs.flatMap((each) => [...each]);
  throw new UnfitRowsError({
    rule: "input",
    message: "The lists of the column have different lengths",
    remedy: "Create a version in which all have the same length",
  });
}

/** Reads an answer to so many inputs. @throws UnfitRowsError */
export function vectorsOf({ output }: Names, body: Uint8Array, count: number): Vectors {
  const tensors = tensorsOf(body);
  const tensor = tensors.find(({ name }) => name === output);
  if (!tensor) {
    const names = tensors.map(({ name }) => String(name)).join(", ");
    throw unfit(`has no output ${JSON.stringify(output)}${names === "" ? "" : `: it answered ${names}`}`);
  }
  const { shape, data } = tensor;
  const [rows, ...rest] = Array.isArray(shape) ? shape.map(Number) : [];
  const dimensions = rest.reduce((product, size) => product * size, 1);
  if (rows !== count) throw unfit(`answered ${rows ?? "no"} rows to ${count} inputs`);
  if (rest.length === 0 || !(dimensions >= 1)) throw unfit("answered numbers instead of vectors");
  if (dimensions > maxDimensions)
    throw unfit(`answered vectors of ${dimensions} numbers, and ${maxDimensions} is the most`);
  const numbers = Array.isArray(data) ? data.flat(rest.length) : [];
  const isWhole = numbers.length === count * dimensions && numbers.every((each) => Number.isFinite(each));
  if (!isWhole) throw unfit("answered values that are no numbers, or not as many as its shape says");
  const all = Float32Array.from(numbers);
  if (!all.every(Number.isFinite)) throw unfit("answered numbers that do not fit into 32 bits");
  const vectors = Array.from({ length: count }, (_, at) => all.slice(at * dimensions, (at + 1) * dimensions));
  return { dimensions, vectors };
}

interface SaidTensor {
  readonly name?: unknown;
  readonly shape?: unknown;
  readonly data?: unknown;
}

function tensorsOf(body: Uint8Array): readonly SaidTensor[] {
  const answer = parsed(body);
  const outputs = typeof answer === "object" && answer !== null && "outputs" in answer ? answer.outputs : undefined;
  return Array.isArray(outputs) ? outputs.filter((each) => typeof each === "object" && each !== null) : [];
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw unfit("did not answer JSON");
  }
}

function unfit(what: string): UnfitRowsError {
  return new UnfitRowsError({
    rule: "answer",
    message: `The model ${what}`,
    remedy: "Name an output that is a tensor of numbers with a row for each input",
  });
}
