import type { InferenceAnswer, InferenceRequest, Parameter } from "../protocol/inference.ts";
import { bytesOfTensor, tensorFromBytes } from "../protocol/raw-tensors.ts";
import { invalid, isRecord, readHead, type Tensor, tensorFromJson, tensorToJson } from "../protocol/tensor.ts";

/** Header by which the binary extension says where JSON ends and bytes begin. */
export const headerLengthHeader = "inference-header-content-length";

/** A request over HTTP, and which outputs are to be answered as bytes. */
export interface HttpInference {
  readonly request: InferenceRequest;
  readonly isBinary: (output: string) => boolean;
}

const maxTensors = 1_000;

/** Reads a body: JSON, behind which the bytes of tensors may follow. @throws PredictionError naming the place */
export function readInference(body: Buffer, headerLength: string | undefined): HttpInference {
  const jsonBytes = headerLength === undefined ? body.length : lengthOf(headerLength, body.length);
  const json = parse(body.subarray(0, jsonBytes));
  const parameters = readParameters("parameters", json["parameters"]);
  const { id } = json;
  if (id !== undefined && typeof id !== "string") throw invalid("id must be a text");
  const wanted = readWanted(json["outputs"]);
  const plain = json["inputs"] === undefined && "input" in json ? { input: json["input"] } : undefined;
  const request: InferenceRequest = {
    ...(id !== undefined && { id }),
    parameters,
    inputs: plain ? [] : readInputs(json["inputs"], body.subarray(jsonBytes)),
    wanted: wanted.map(({ name }) => name),
    ...(plain && { plain }),
  };
  const byName = new Map(wanted.map(({ name, binary }) => [name, binary]));
  const isBinary = (name: string) => byName.get(name) ?? parameters["binary_data_output"] === true;
  return { request, isBinary };
}

function lengthOf(text: string, bytes: number): number {
  const length = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (length <= bytes) return length;
  throw invalid(`${headerLengthHeader} must be the number of the body's bytes that are JSON`);
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalid("The body is not JSON");
  }
  if (!isRecord(value)) throw invalid("The body must be a JSON object");
  return value;
}

function readInputs(value: unknown, bytes: Buffer): Tensor[] {
  if (!Array.isArray(value)) throw invalid("inputs must be an array of tensors");
  if (value.length > maxTensors) throw invalid(`inputs must have ${maxTensors} tensors at most`);
  let at = 0;
  const tensors = value.map((input, index) => {
    const place = `inputs[${index}]`;
    const size = isRecord(input) ? binarySize(place, input["parameters"]) : undefined;
    if (size === undefined) return tensorFromJson(place, input);
    const from = at;
    at += size;
    if (at > bytes.length) throw invalid(`${place} has fewer bytes than its binary_data_size says`);
    const { name, datatype, shape } = input;
    return tensorFromBytes(place, readHead(place, { name, datatype, shape }), bytes.subarray(from, at));
  });
  if (at < bytes.length) throw invalid("The body has more bytes than its tensors");
  return tensors;
}

function binarySize(place: string, parameters: unknown): number | undefined {
  const size = isRecord(parameters) ? parameters["binary_data_size"] : undefined;
  if (size === undefined) return undefined;
  if (typeof size === "number" && Number.isSafeInteger(size) && size >= 0) return size;
  throw invalid(`${place}.parameters.binary_data_size must be a whole number`);
}

function readWanted(value: unknown): { name: string; binary: boolean | undefined }[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxTensors) throw invalid("outputs must be an array of named outputs");
  return value.map((output: unknown, index) => {
    if (!isRecord(output) || typeof output["name"] !== "string") throw invalid(`outputs[${index}].name must be a text`);
    const binary = isRecord(output["parameters"]) ? output["parameters"]["binary_data"] : undefined;
    return { name: output["name"], binary: typeof binary === "boolean" ? binary : undefined };
  });
}

function readParameters(place: string, value: unknown): Readonly<Record<string, Parameter>> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw invalid(`${place} must be an object`);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (typeof item === "string" || typeof item === "number" || typeof item === "boolean") return [name, item];
      throw invalid(`${place}.${name} must be a text, a number, true or false`);
    }),
  );
}

/** A prediction as an HTTP body: JSON, and behind it the bytes of the outputs that were asked for as bytes. */
export function writeInference(
  answer: InferenceAnswer,
  o: { model: { model_name: string; model_version: string; id?: string }; isBinary: (output: string) => boolean },
): { body: Buffer; jsonBytes?: number } {
  if ("output" in answer) return { body: Buffer.from(JSON.stringify({ ...o.model, output: answer.output })) };
  const parts: Uint8Array[] = [];
  const outputs = answer.outputs.map((tensor) => {
    if (!o.isBinary(tensor.name)) return tensorToJson(tensor);
    const bytes = bytesOfTensor(tensor);
    parts.push(bytes);
    const { name, datatype, shape } = tensor;
    return { name, datatype, shape, parameters: { binary_data_size: bytes.byteLength } };
  });
  const json = Buffer.from(JSON.stringify({ ...o.model, outputs }));
  return parts.length === 0 ? { body: json } : { body: Buffer.concat([json, ...parts]), jsonBytes: json.length };
}
