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

interface Row {
  status: number;
  code: string;
  /** What is said instead of the error's own text, which may be internal. */
  says?: string;
}

/** What each RPC code becomes. */
export const statusTable: Readonly<Record<Code, Row>> = {
  [Code.Canceled]: { status: 499, code: "canceled", says: "Client closed the request" },
  [Code.Unknown]: { status: 500, code: "internal", says: "Internal error" },
  [Code.InvalidArgument]: { status: 422, code: "invalid_argument" },
  [Code.DeadlineExceeded]: { status: 504, code: "deadline_exceeded", says: "The answer took too long" },
  [Code.NotFound]: { status: 404, code: "not_found", says: "Not found" },
  [Code.AlreadyExists]: { status: 409, code: "already_exists" },
  [Code.PermissionDenied]: { status: 403, code: "permission_denied" },
  [Code.ResourceExhausted]: { status: 429, code: "resource_exhausted" },
  [Code.FailedPrecondition]: { status: 409, code: "failed_precondition" },
  [Code.Aborted]: { status: 409, code: "aborted" },
  [Code.OutOfRange]: { status: 500, code: "internal", says: "Internal error" },
  [Code.Unimplemented]: { status: 501, code: "unimplemented", says: "Not implemented" },
  [Code.Internal]: { status: 500, code: "internal", says: "Internal error" },
  [Code.Unavailable]: { status: 503, code: "unavailable", says: "Temporarily unavailable" },
  [Code.DataLoss]: { status: 500, code: "internal", says: "Internal error" },
  [Code.Unauthenticated]: { status: 401, code: "unauthenticated" },
};

/** Reasons that HTTP has a status of its own for, where the RPC code alone says less. */
export const statusOfReason: Readonly<Record<string, { code: Code; status: number }>> = {
  // What `If-Match` asked for does not hold.
  ETAG_MISMATCH: { code: Code.FailedPrecondition, status: 412 },
  // A third party's service failed, not ours.
  PROVIDER_UNAVAILABLE: { code: Code.Unavailable, status: 502 },
};

/** Turns a failure into what is answered. `place` says where a refused field stands in the request, and what was there. */
export function toHttpError(
  error: unknown,
  place?: (field: RefusedField) => Pick<Problem, "loc" | "input">,
): HttpError {
  if (error instanceof HttpError) return error;
  const failure = error instanceof ConnectError ? error : new ConnectError("", Code.Internal);
  const row = statusTable[failure.code];
  if (failure.code === Code.InvalidArgument) return invalid(failure, place);
  const [info] = failure.findDetails(ErrorInfoSchema);
  const isHidden = row.status >= 500 && row.status !== 503 && row.status !== 504;
  const code = info === undefined || info.reason === "" || isHidden ? row.code : info.reason.toLowerCase();
  const own = statusOfReason[info?.reason ?? ""];
  const status = own?.code === failure.code ? own.status : row.status;
  return new HttpError(status, row.says ?? (failure.rawMessage || row.code), code, headersOf(failure, status));
}

function headersOf(failure: ConnectError, status: number): Record<string, string> {
  if (status !== 429 && status !== 503) return {};
  const [retry] = failure.findDetails(RetryInfoSchema);
  const { seconds, nanos } = retry?.retryDelay ?? { seconds: 1n, nanos: 0 };
  return { "retry-after": `${Math.max(1, Number(seconds) + (nanos > 0 ? 1 : 0))}` };
}

function invalid(failure: ConnectError, place?: (field: RefusedField) => Pick<Problem, "loc" | "input">): HttpError {
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
