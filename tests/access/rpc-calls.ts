import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { Route } from "@aiplatform/contract/transcoder/v1/route";
import {
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { Rpc } from "./contract-rpcs.ts";

/** How a call ended, as far as its caller can see. */
export interface CallEnd {
  /** HTTP status, or the RPC code's name. */
  status: number | string;
  /** Body and message, without what differs from call to call. */
  text: string;
  headers: Record<string, string>;
  /** The permission that was missing, where the call was refused for one. */
  missing: string | undefined;
}

/** Fields of the request by their names in the contract. */
export type Input = Readonly<Record<string, JsonValue>>;

const callOptions = { timeoutMs: 10_000 };
/** A stream that has said nothing for so long is open, and has nothing to say. */
const streamTimeoutMs = 3_000;
/** Differ from call to call and say nothing of what was asked. */
const passing = new Set([
  ...["date", "x-request-id", "content-length", "connection", "keep-alive", "transfer-encoding"],
  // Counts the caller's own requests.
  "ratelimit",
]);

/** Calls an RPC that has a route, as any HTTP client would. Of a stream, only how it begins is read. */
export async function callRest(gateway: string, rpc: Rpc, input: Input, credential?: string): Promise<CallEnd> {
  if (!rpc.route) throw new Error(`${rpc.name} has no route`);
  const { method, url, body, headers: sent } = restRequest(rpc.route, input);
  const streams = rpc.method.methodKind === "server_streaming";
  const signal = AbortSignal.timeout(streams ? streamTimeoutMs : callOptions.timeoutMs);
  const headersOfRequest = {
    ...sent,
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const request = { method, headers: headersOfRequest, signal, ...(body === undefined ? {} : { body }) };
  const response = await fetch(gateway + url, request).catch((error: unknown) => {
    if (streams && signal.aborted) return undefined;
    throw error;
  });
  if (!response) return open;
  if (streams && response.ok) {
    await response.body?.cancel();
    return open;
  }
  const text = await response.text();
  const [, missing] = response.status === 403 ? (/Missing permission: ([a-z_]+:[a-z_]+)/.exec(text) ?? []) : [];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !passing.has(name)));
  return { status: response.status, text, headers, missing };
}

const open: CallEnd = { status: "open", text: "", headers: {}, missing: undefined };

function restRequest({ pattern, body: bodyField, query, headers: wanted }: Route, input: Input) {
  if (pattern.case === undefined) throw new Error("a route without a path");
  const rest: Record<string, JsonValue> = { ...input };
  const path = pattern.value.replaceAll(/\{(\w+)(?:=\*\*)?\}/g, (_, name: string) => {
    const value = rest[name] ?? "-";
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const headers: Record<string, string> = {};
  for (const { name, field } of wanted) {
    if (rest[field] !== undefined) headers[name] = String(rest[field]);
    delete rest[field];
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (bodyField !== "" && !query.includes(name)) continue;
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
    delete rest[name];
  }
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return {
    method: pattern.case.toUpperCase(),
    url: path + search,
    headers,
    body: bodyField === "" ? undefined : JSON.stringify(bodyField === "*" ? rest : rest[bodyField]),
  };
}

/** Calls an RPC at the service that answers it, as a service team would. Of a stream, the first message is read. */
export async function callRpc(transport: Transport, rpc: Rpc, input: Input, credential?: string): Promise<CallEnd> {
  const headers = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const { method } = rpc;
  const message = fromJson(method.input, { ...input });
  const done = new AbortController();
  try {
    const { timeoutMs } = callOptions;
    if (isUnary(method)) {
      await transport.unary(method, done.signal, timeoutMs, headers, message);
    } else if (isStream(method)) {
      const sent = method.methodKind === "server_streaming" ? once(message) : oneMessage(message, done.signal);
      const stream = await transport.stream(method, done.signal, timeoutMs, headers, sent);
      await stream.message[Symbol.asyncIterator]().next();
    }
    return { status: "ok", text: "", headers: {}, missing: undefined };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const [info] = error.findDetails(ErrorInfoSchema);
    const missing = error.code === Code.PermissionDenied ? info?.metadata.permission : undefined;
    const reason = info === undefined ? "" : ` ${info.reason}`;
    return { status: Code[error.code], text: error.rawMessage + reason, headers: {}, missing };
  } finally {
    done.abort();
  }
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";
const isStream = (method: DescMethod): method is DescMethodStreaming => method.methodKind !== "unary";

async function* once<T>(message: T): AsyncIterable<T> {
  yield message;
}

/** One message, and then an open stream until the call is over. */
async function* oneMessage<T>(message: T, over: AbortSignal): AsyncIterable<T> {
  yield message;
  await new Promise<void>((resolve) => over.addEventListener("abort", () => resolve(), { once: true }));
}
