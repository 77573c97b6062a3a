import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

export type RequestHeaders = RequestInit["headers"];

/** A request to the gateway. */
export interface PlatformRequest {
  method: string;
  path: string;
  headers: NonNullable<RequestHeaders>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal | undefined;
}

/** RPC codes of statuses; of others, `Unknown`. */
const codes: ReadonlyMap<number, Code> = new Map([
  [400, Code.InvalidArgument],
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
  [404, Code.NotFound],
  [409, Code.FailedPrecondition],
  [413, Code.InvalidArgument],
  [422, Code.InvalidArgument],
  [429, Code.ResourceExhausted],
  [502, Code.Unavailable],
  [503, Code.Unavailable],
  [504, Code.DeadlineExceeded],
]);
const maxErrorChars = 10_000;
/** Of a line of a stream: an attachment names every checkpoint of its job. */
const maxLineChars = 64 << 20;

/** Sends a request once; resolves when the head of the answer is there. @throws ConnectError for a refusal, and without an answer */
export async function send(url: string, { path, signal, body, ...request }: PlatformRequest): Promise<Response> {
  const given = { ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) };
  const response = await fetch(new URL(path, url), { ...request, ...given, redirect: "manual" }).catch(
    (error: unknown) => {
      throw unanswered(error, signal);
    },
  );
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** The whole answer. @throws ConnectError when it breaks off, or is no JSON: something else than the platform has answered */
export async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<JsonValue> {
  try {
    return JSON.parse(await response.text());
  } catch (error) {
    throw unanswered(error, signal);
  }
}

/** The JSON of each line, as it comes. @throws ConnectError when the connection breaks, and for what is no JSON */
export async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<JsonValue> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const piece of response.body ?? []) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > maxLineChars) throw new Error(`a line is longer than ${maxLineChars} characters`);
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
    }
  } catch (error) {
    throw unanswered(error, signal);
  }
}

/** What to do about failures whose own text does not help. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["bad port", "fetch sends nothing to a port of another protocol, such as 6000: give the gateway another port"],
]);

/** The connection broke, or what came is not the platform's: another attempt may go well. */
export function unanswered(error: unknown, signal: AbortSignal | undefined): ConnectError {
  if (signal?.aborted) return ConnectError.from(signal.reason, Code.Canceled);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return new ConnectError(`no answer: ${remedies.get(text) ?? text}`, Code.Unavailable, undefined, undefined, error);
}

async function refusalOf(response: Response): Promise<ConnectError> {
  const text = (await response.text().catch(() => "")).slice(0, maxErrorChars);
  const { detail, code } = membersOf(text);
  const info = { desc: ErrorInfoSchema, value: { reason: code.toUpperCase(), domain: "aiplatform" } };
  const message = detail === "" ? `HTTP ${response.status}` : detail;
  return new ConnectError(message, codes.get(response.status) ?? Code.Unknown, undefined, code === "" ? [] : [info]);
}

/** What an answer that is no success says; nothing where it is no answer of the platform. */
function membersOf(text: string): { detail: string; code: string } {
  try {
    const { detail = "", code = "" } = JSON.parse(text);
    return { detail: typeof detail === "string" ? detail : JSON.stringify(detail), code: String(code) };
  } catch {
    return { detail: "", code: "" };
  }
}
