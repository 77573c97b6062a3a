import type { Tensor } from "./tensor.ts";

/** A value beside a request's tensors. */
export type Parameter = string | number | boolean;

/** A request for a prediction, whichever way it came. */
export interface InferenceRequest {
  readonly id?: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly inputs: readonly Tensor[];
  /** Names of the outputs that are wanted. Empty: all. */
  readonly wanted: readonly string[];
  /** Any JSON in place of tensors: `{"input": …}`, for handlers. */
  readonly plain?: { readonly input: unknown };
}

/** A prediction: tensors, or the JSON that a request without tensors is answered with. */
export type InferenceAnswer = { readonly outputs: readonly Tensor[] } | { readonly output: unknown };

/** A tensor as a model declares it; -1 is any size. */
export interface TensorMetadata {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
}

/** What the protocol says of a model. */
export interface ModelMetadata {
  readonly platform: string;
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
}
