import { request as httpRequest, type IncomingMessage } from "node:http";
import {
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type Message,
  toJsonString,
} from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";

/** What came back, as the bytes a client could log: status, headers, body. */
export interface Heard {
  readonly from: string;
  readonly status: number | string;
  readonly bytes: Buffer;
}

export interface HttpQuestion {
  readonly from: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sends half the body, and leaves. */
  readonly aborted?: boolean;
  /** Milliseconds until the answer is given up; default 1,500, after which a stream that goes on for ever is left. */
  readonly timeoutMs?: number;
}

/** Streams that go on for ever are left after this time, in milliseconds. */
const streamTimeoutMs = 1_500;

/** Sends a request as it is, whatever an HTTP library would think of it. */
export function sendHttp(question: HttpQuestion): Promise<Heard> {
  const { from, url, method, headers, body = "", aborted = false, timeoutMs = streamTimeoutMs } = question;
  return new Promise((resolve) => {
    const hasBody = method !== "GET" && method !== "HEAD" && (body !== "" || aborted);
    const length = hasBody ? { "content-length": String(Buffer.byteLength(body) + (aborted ? 1 : 0)) } : {};
    const request = httpRequest(url, {
      method,
      agent: false,
      headers: { "content-type": "application/json", ...headers, ...length },
    });
    const heard: Buffer[] = [];
    const end = (status: number) => {
      clearTimeout(timer);
      request.destroy();
      resolve({ from, status, bytes: Buffer.concat(heard) });
    };
    const timer = setTimeout(() => end(0), timeoutMs);
    request.on("error", () => end(0));
    request.on("response", (response: IncomingMessage) => {
      heard.push(Buffer.from(response.rawHeaders.join("\n")));
      response.on("data", (chunk: Buffer) => heard.push(chunk)).on("error", () => end(response.statusCode ?? 0));
      response.on("end", () => end(response.statusCode ?? 0));
    });
    if (hasBody) request.write(body);
    if (aborted) setImmediate(() => end(0));
    else request.end();
  });
}

export interface RpcQuestion {
  readonly from: string;
  readonly transport: Transport;
  readonly method: DescMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: JsonObject;
}

/** Calls an RPC of any kind; a stream is read for a moment. */
export async function sendRpc({ from, transport, method, headers, request }: RpcQuestion): Promise<Heard> {
  const heard: string[] = [];
  const hear = (...facts: unknown[]) => heard.push(...facts.map(String));
  const message: Message = fromJson(method.input, request, { ignoreUnknownFields: true });
  try {
    if (isUnary(method)) {
      const answer = await transport.unary(method, undefined, 5_000, headers, message);
      hear(...answer.header, ...answer.trailer, toJsonString(method.output, answer.message));
    } else if (isStreaming(method)) {
      const answer = await transport.stream(method, undefined, streamTimeoutMs, headers, once(message));
      hear(...answer.header);
      for await (const each of answer.message) hear(toJsonString(method.output, each));
    }
    return { from, status: "OK", bytes: Buffer.from(heard.join("\n")) };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const details = error.details.map((detail) => ("type" in detail ? Buffer.from(detail.value) : Buffer.alloc(0)));
    hear(error.message, ...error.metadata);
    return { from, status: error.code, bytes: Buffer.concat([Buffer.from(heard.join("\n")), ...details]) };
  }
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";
const isStreaming = (method: DescMethod): method is DescMethodStreaming => !isUnary(method);

async function* once<T>(message: T): AsyncIterable<T> {
  yield message;
}
