import { PredictionError } from "../errors.ts";
import { type Datatype, datatypes, isDatatype, type TensorData } from "./datatypes.ts";

/** A named array of the protocol. */
export interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A tensor as it stands in JSON. */
export interface JsonTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly unknown[];
}

/** What is known of a tensor before its elements are. */
export interface TensorHead {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

const maxDimensions = 64;

/** Reads what stands beside a tensor's elements. `place` names it in what is said. @throws PredictionError */
export function readHead(place: string, o: { name: unknown; datatype: unknown; shape: unknown }): TensorHead {
  const { name, datatype, shape } = o;
  if (typeof name !== "string" || name === "") throw invalid(`${place}.name must be a text`);
  if (!isDatatype(datatype)) {
    throw invalid(`${place}.datatype must be one of ${Object.keys(datatypes).join(", ")}`);
  }
  const isShape = (value: unknown): value is number[] =>
    Array.isArray(value) &&
    value.length <= maxDimensions &&
    value.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (!isShape(shape)) throw invalid(`${place}.shape must be an array of whole numbers`);
  return { name, datatype, shape };
}

/** Elements that a tensor of the shape has. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Reads a tensor from JSON: its data flat, or nested as its shape says. @throws PredictionError naming the place */
export function tensorFromJson(place: string, value: unknown): Tensor {
  if (!isRecord(value)) throw invalid(`${place} must be an object`);
  const head = readHead(place, { name: value["name"], datatype: value["datatype"], shape: value["shape"] });
  const { data } = value;
  if (!Array.isArray(data)) throw invalid(`${place}.data must be an array`);
  return tensorOf(place, head, data.some(Array.isArray) ? data.flat(maxDimensions) : data);
}

/** @throws PredictionError when the elements are not as many, or not such, as the head says */
export function tensorOf(place: string, head: TensorHead, elements: readonly unknown[]): Tensor {
  const wanted = elementsOf(head.shape);
  if (elements.length !== wanted) {
    throw invalid(`${place}.data has ${elements.length} elements; the shape [${head.shape}] takes ${wanted}`);
  }
  const data = datatypes[head.datatype].fromJson(elements);
  if (data === undefined) throw invalid(`${place}.data holds what is no ${head.datatype}`);
  return { ...head, data };
}

/** A tensor as JSON writes it. What JSON has no number for is a text: NaN, Infinity, integers beyond 2^53. */
export function tensorToJson({ name, datatype, shape, data }: Tensor): JsonTensor {
  return { name, datatype, shape, data: elementsToJson(datatype, data) };
}

function elementsToJson(datatype: Datatype, data: TensorData): unknown[] {
  if (Array.isArray(data)) return data;
  if (datatype === "BOOL") return Array.from(data, Boolean);
  return Array.from<number | bigint, unknown>(data, (value) => {
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    return Number.isFinite(value) ? value : String(value);
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function invalid(message: string): PredictionError {
  return new PredictionError("invalid", message);
}
