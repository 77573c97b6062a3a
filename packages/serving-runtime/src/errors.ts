/** Why an instance cannot serve, from the closed list of rollout errors. */
export type LoadFailure = "ModelLoadFailed" | "ArtifactMissing" | "InvalidBundle";

/** What is to be served cannot be. */
export class LoadError extends Error {
  override name = "LoadError";
  readonly reason: LoadFailure;
  constructor(reason: LoadFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** How a request can fail; see {@link failures} for what callers see of each. */
export type FailureKind =
  | "invalid"
  | "unauthenticated"
  | "unknown_model"
  | "unknown_path"
  | "wrong_method"
  | "too_large"
  | "too_many"
  | "not_ready"
  | "waited_too_long"
  | "engine_lost"
  | "handler_failed"
  | "output_mismatch"
  | "model_failed"
  | "time_limit";

/** A request that is not answered with a prediction. The message is meant for its sender. */
export class PredictionError extends Error {
  override name = "PredictionError";
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** gRPC codes by name, as the protocol over gRPC answers them. */
type GrpcCode =
  | "InvalidArgument"
  | "Unauthenticated"
  | "NotFound"
  | "Unimplemented"
  | "ResourceExhausted"
  | "Unavailable"
  | "Internal"
  | "DeadlineExceeded";

/** Each failure over HTTP and over gRPC. `retry`: it has had no effect, and may be repeated in a second. */
export const failures: Readonly<Record<FailureKind, { status: number; code: GrpcCode; retry?: true }>> = {
  invalid: { status: 400, code: "InvalidArgument" },
  unauthenticated: { status: 401, code: "Unauthenticated" },
  unknown_model: { status: 404, code: "NotFound" },
  unknown_path: { status: 404, code: "Unimplemented" },
  wrong_method: { status: 405, code: "Unimplemented" },
  too_large: { status: 413, code: "ResourceExhausted" },
  too_many: { status: 429, code: "ResourceExhausted", retry: true },
  not_ready: { status: 503, code: "Unavailable", retry: true },
  waited_too_long: { status: 503, code: "Unavailable", retry: true },
  engine_lost: { status: 503, code: "Unavailable", retry: true },
  handler_failed: { status: 500, code: "Internal" },
  output_mismatch: { status: 500, code: "Internal" },
  model_failed: { status: 500, code: "Internal" },
  time_limit: { status: 504, code: "DeadlineExceeded" },
};

const maxMessageLength = 2_000;

/** What a caller may see of any failure: ours by their message, all others by none. */
export function toPredictionError(error: unknown): PredictionError {
  return error instanceof PredictionError ? error : new PredictionError("model_failed", "The prediction failed");
}

/** A message from other code, cut to a length that can be passed on. */
export function bounded(text: string): string {
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}
