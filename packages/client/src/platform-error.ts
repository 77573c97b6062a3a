/** What is wrong with one field of a request. */
export interface Problem {
  /** Where, such as `["body", "name"]`. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** The platform refused a request, or failed at it. */
export class PlatformError extends Error {
  override name = "PlatformError";
  /** HTTP status. */
  readonly status: number;
  /** Stable word for programs, such as `not_found`. Empty when the answer had none. */
  readonly code: string;
  /** Under which the platform's logs know the request. */
  readonly requestId: string;
  /** Of a request that does not hold to the rules: every problem. */
  readonly problems: readonly Problem[];

  constructor(response: Response, body: unknown) {
    const { detail, code } = membersOf(body);
    const problems: Problem[] = Array.isArray(detail) ? detail : [];
    super(problems.length > 0 ? problems.map(sentence).join("; ") : text(detail) || `HTTP ${response.status}`);
    this.status = response.status;
    this.code = text(code);
    this.requestId = response.headers.get("x-request-id") ?? "";
    this.problems = problems;
  }
}

/** Codes of failures that asking again may help against: a service is away, or the replica that streams is stopping. */
const passing: ReadonlySet<string> = new Set(["unavailable", "reconnect"]);

/** A stream ended with a failure after it had begun. */
export class StreamFailedError extends Error {
  override name = "StreamFailedError";
  /** Stable word for programs. */
  readonly code: string;
  /** Whether asking again later may help. */
  readonly isPassing: boolean;

  constructor(body: unknown) {
    const { detail, code } = membersOf(body);
    super(text(detail) || "the stream failed");
    this.code = text(code);
    this.isPassing = passing.has(this.code);
  }
}

/** There was no answer. */
export class PlatformUnreachableError extends Error {
  override name = "PlatformUnreachableError";
  /** Whether a server took the request and did not answer in time. */
  readonly timedOut: boolean;

  constructor(url: string, cause: unknown, { timedOut = false } = {}) {
    super(`no answer from ${new URL(url).origin}: ${innermost(cause)}`, { cause });
    this.timedOut = timedOut;
  }
}

function membersOf(body: unknown): { detail?: unknown; code?: unknown } {
  return typeof body === "object" && body !== null ? body : {};
}

/** What the first of the failures says, of which each brought about the next. */
function innermost(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  if (failure.cause instanceof Error) return innermost(failure.cause);
  // Several addresses were tried: each has its own failure.
  const several = failure instanceof AggregateError ? failure.errors.map(innermost).join("; ") : "";
  return several || failure.message;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const sentence = ({ loc, msg }: Problem): string => `${loc.join(".")}: ${msg}`;

/** What a call answered. @throws PlatformError when it was refused */
export function answerOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (!response.ok || data === undefined) throw new PlatformError(response, error);
  return data;
}
