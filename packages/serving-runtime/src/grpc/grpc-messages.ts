import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type InferParameter,
  type InferTensorContents,
  InferTensorContentsSchema,
  type ModelInferRequest,
  type ModelInferResponseSchema,
} from "../gen/inference_pb.js";
import type { Datatype } from "../protocol/datatypes.ts";
import type { InferenceAnswer, InferenceRequest, Parameter } from "../protocol/inference.ts";
import { bytesOfTensor, decodeText, tensorFromBytes } from "../protocol/raw-tensors.ts";
import { invalid, readHead, type Tensor, tensorOf, tensorToJson } from "../protocol/tensor.ts";

type Contents = Exclude<keyof InferTensorContents, "$typeName" | "$unknown">;

/** Where the elements of a datatype travel; FP16 only travels raw. */
const contentsOf: Readonly<Record<Exclude<Datatype, "FP16">, Contents>> = {
  BOOL: "boolContents",
  UINT8: "uintContents",
  UINT16: "uintContents",
  UINT32: "uintContents",
  UINT64: "uint64Contents",
  INT8: "intContents",
  INT16: "intContents",
  INT32: "intContents",
  INT64: "int64Contents",
  FP32: "fp32Contents",
  FP64: "fp64Contents",
  BYTES: "bytesContents",
};

/** Reads a request. @throws PredictionError naming the place */
export function readInferRequest(message: ModelInferRequest): InferenceRequest {
  const { id, inputs, outputs, rawInputContents: raw } = message;
  if (raw.length > 0 && raw.length !== inputs.length) {
    throw invalid(`raw_input_contents has ${raw.length} items for ${inputs.length} inputs`);
  }
  return {
    ...(id !== "" && { id }),
    parameters: Object.fromEntries(
      Object.entries(message.parameters).map(([name, value]) => [name, readParameter(name, value)]),
    ),
    inputs: inputs.map((input, index) => readInput(`inputs[${index}]`, input, raw[index])),
    wanted: outputs.map(({ name }) => name),
  };
}

function readParameter(name: string, { parameterChoice: { value } }: InferParameter): Parameter {
  if (value === undefined) throw invalid(`parameters.${name} has no value`);
  return typeof value === "bigint" ? Number(value) : value;
}

function readInput(place: string, input: ModelInferRequest["inputs"][number], raw: Uint8Array | undefined): Tensor {
  const { name, datatype, contents } = input;
  const head = readHead(place, { name, datatype, shape: input.shape.map(Number) });
  if (raw) {
    if (contents) throw invalid(`${place}.contents must be absent beside raw_input_contents`);
    return tensorFromBytes(place, head, raw);
  }
  if (head.datatype === "FP16") throw invalid(`${place}: FP16 must travel in raw_input_contents`);
  const elements = contents?.[contentsOf[head.datatype]] ?? [];
  // JSON's reader takes what beyond 2^53 is no number as text, as it does NaN.
  return tensorOf(
    place,
    head,
    Array.from<unknown, unknown>(elements, (element) => readElement(place, element)),
  );
}

function readElement(place: string, element: unknown): unknown {
  if (element instanceof Uint8Array) return decodeText(place, element);
  return typeof element === "bigint" ? String(element) : element;
}

const encoder = new TextEncoder();

/** Writes an answer; raw where the request was raw, or where an output only travels so. */
export function writeInferAnswer(
  answer: InferenceAnswer,
  o: { modelName: string; modelVersion: string; id: string; isRaw: boolean },
): MessageInitShape<typeof ModelInferResponseSchema> {
  const { modelName, modelVersion, id } = o;
  const tensors = "outputs" in answer ? answer.outputs : [];
  const isRaw = o.isRaw || tensors.some(({ datatype }) => datatype === "FP16");
  const outputs = tensors.map((tensor) => ({
    name: tensor.name,
    datatype: tensor.datatype,
    shape: tensor.shape.map(BigInt),
    ...(!isRaw && { contents: writeContents(tensor) }),
  }));
  const rawOutputContents = isRaw ? tensors.map((tensor) => Uint8Array.from(bytesOfTensor(tensor))) : [];
  return { modelName, modelVersion, id, outputs, rawOutputContents };
}

function writeContents(tensor: Tensor): InferTensorContents {
  const { datatype, data } = tensor;
  if (datatype === "FP16") return create(InferTensorContentsSchema);
  const elements = Array.isArray(data)
    ? data.map((text) => encoder.encode(text))
    : datatype === "BOOL"
      ? tensorToJson(tensor).data
      : Array.from<number | bigint>(data);
  return create(InferTensorContentsSchema, { [contentsOf[datatype]]: elements });
}
