/** The cluster says no, and would say so again: the object, the quota or our rights are why. */
export class ClusterRefusalError extends Error {
  override name = "ClusterRefusalError";
  /** HTTP status. */
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The cluster could not be reached, is overloaded or not set up; worth asking again. */
export class ClusterUnavailableError extends Error {
  override name = "ClusterUnavailableError";
  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/** Answers that stay the same however often one asks. */
const refusals: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/** An error of the client as one of ours. */
export function clusterErrorOf(error: unknown): ClusterRefusalError | ClusterUnavailableError {
  const code = statusOf(error);
  if (code !== undefined && refusals.has(code)) return new ClusterRefusalError(code, messageOf(error));
  return new ClusterUnavailableError(`A request to the Kubernetes cluster failed: ${messageOf(error)}`, error);
}

/** HTTP status that the client's error stands for; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "number"
    ? error.code
    : undefined;
}

/** What the cluster said, in one line. */
function messageOf(error: unknown): string {
  const body = typeof error === "object" && error !== null && "body" in error ? error.body : undefined;
  const said = typeof body === "string" ? statusMessage(body) : undefined;
  const [line = ""] = (said ?? causesOf(error)).split("\n");
  return line.slice(0, 500);
}

function statusMessage(body: string): string | undefined {
  try {
    const status: unknown = JSON.parse(body);
    const said = typeof status === "object" && status !== null && "message" in status ? status.message : undefined;
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}

function causesOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return String(error);
  const cause = "cause" in error && error.cause ? `: ${causesOf(error.cause)}` : "";
  return `${error.message}${cause}`;
}
