import { ViolationsSchema } from "@aiplatform/contract/buf/validate/validate";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Problem } from "./problem-list.ts";
import { type RefusedField, refusedFields } from "./refused-fields.ts";

/** An answer that is not a success. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  /** For people. */
  readonly detail: string;
  /** For programs. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Entries of a 422, in order. */
  readonly problems: readonly Problem[] | undefined;
  constructor(
    status: number,
    detail: string,
    code: string,
    headers: Readonly<Record<string, string>> = {},
    problems?: readonly Problem[],
  ) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.code = code;
    this.headers = headers;
    this.problems = problems;
  }
}

/** What the client of a cancelled call is to be told. Undefined: nothing, or the call goes on. */
export function interruptionOf(signal: AbortSignal | undefined): HttpError | undefined {
  const reason: unknown = signal?.reason;
  return reason instanceof HttpError ? reason : undefined;
}

interface Row {
  status: number;
  code: string;
  /** Sent instead of the error's own text, which may be internal. */
  detail?: string;
}

/** What each RPC code becomes. */
export const statusTable: Readonly<Record<Code, Row>> = {
  [Code.Canceled]: { status: 499, code: "canceled", detail: "Client closed the request" },
  [Code.Unknown]: { status: 500, code: "internal", detail: "Internal error" },
  [Code.InvalidArgument]: { status: 422, code: "invalid_argument" },
  [Code.DeadlineExceeded]: { status: 504, code: "deadline_exceeded", detail: "The answer took too long" },
  [Code.NotFound]: { status: 404, code: "not_found", detail: "Not found" },
  [Code.AlreadyExists]: { status: 409, code: "already_exists" },
  [Code.PermissionDenied]: { status: 403, code: "permission_denied" },
  [Code.ResourceExhausted]: { status: 429, code: "resource_exhausted" },
  [Code.FailedPrecondition]: { status: 409, code: "failed_precondition" },
  [Code.Aborted]: { status: 409, code: "aborted" },
  [Code.OutOfRange]: { status: 500, code: "internal", detail: "Internal error" },
  [Code.Unimplemented]: { status: 501, code: "unimplemented", detail: "Not implemented" },
  [Code.Internal]: { status: 500, code: "internal", detail: "Internal error" },
  [Code.Unavailable]: { status: 503, code: "unavailable", detail: "Temporarily unavailable" },
  [Code.DataLoss]: { status: 500, code: "internal", detail: "Internal error" },
  [Code.Unauthenticated]: { status: 401, code: "unauthenticated" },
};

/** What an operation adds to how its failures are answered. */
export interface FailureContext {
  /** Where a refused field stands in the request, and what was there. */
  readonly place?: (field: RefusedField) => Pick<Problem, "loc" | "input">;
  /** Statuses of reasons, where the one of their RPC code says less. */
  readonly statusOfReason?: ReadonlyMap<string, number>;
}

/** Turns a failure into what is answered. */
export function toHttpError(error: unknown, { place, statusOfReason }: FailureContext = {}): HttpError {
  if (error instanceof HttpError) return error;
  const failure = error instanceof ConnectError ? error : new ConnectError("", Code.Internal);
  const row = statusTable[failure.code];
  if (failure.code === Code.InvalidArgument) return invalid(failure, place);
  const [info] = failure.findDetails(ErrorInfoSchema);
  const isHidden = row.status >= 500 && row.status !== 503 && row.status !== 504;
  const code = info === undefined || info.reason === "" || isHidden ? row.code : info.reason.toLowerCase();
  const status = statusOfReason?.get(info?.reason ?? "") ?? row.status;
  return new HttpError(status, row.detail ?? (failure.rawMessage || row.code), code, headersOf(failure, status));
}

function headersOf(failure: ConnectError, status: number): Record<string, string> {
  if (status === 416) return contentRangeOf(failure);
  if (status !== 429 && status !== 503) return {};
  const [retry] = failure.findDetails(RetryInfoSchema);
  const { seconds, nanos } = retry?.retryDelay ?? { seconds: 1n, nanos: 0 };
  return { "retry-after": `${Math.max(1, Number(seconds) + (nanos > 0 ? 1 : 0))}` };
}

/** How long that is of which a range was wanted. */
function contentRangeOf(failure: ConnectError): Record<string, string> {
  const size = failure.findDetails(ErrorInfoSchema)[0]?.metadata["size_bytes"];
  return size === undefined ? {} : { "content-range": `bytes */${size}` };
}

function invalid(failure: ConnectError, place: FailureContext["place"]): HttpError {
  const refused = refusedFields(failure.findDetails(BadRequestSchema), failure.findDetails(ViolationsSchema));
  const whole: RefusedField = { path: [], type: "value_error", msg: failure.rawMessage };
  const problems = (refused.length === 0 ? [whole] : refused).map((field) => {
    const { loc, input } = place?.(field) ?? { loc: ["body", ...field.path], input: undefined };
    return { type: field.type, loc, msg: field.msg, input, ctx: undefined };
  });
  return new HttpError(422, failure.rawMessage, "invalid_argument", {}, problems);
}

/** The request cannot be read: every problem it has. */
export function unprocessable(problems: readonly Problem[]): HttpError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new HttpError(422, `The request has ${count}`, "invalid_argument", {}, problems);
}
