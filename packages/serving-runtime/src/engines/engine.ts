import type { InferenceAnswer, InferenceRequest, ModelMetadata } from "../protocol/inference.ts";

/** What computes predictions. */
export interface Engine extends AsyncDisposable {
  readonly metadata: ModelMetadata;
  /** @throws PredictionError; when `signal` aborts, soon */
  infer(request: InferenceRequest, signal: AbortSignal): Promise<InferenceAnswer>;
}
