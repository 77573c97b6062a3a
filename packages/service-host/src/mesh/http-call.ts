import type { IncomingHttpHeaders } from "node:http";
import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";
import { contentTypeUnaryProto, errorFromJsonBytes, validateResponse } from "@connectrpc/connect/protocol-connect";
import { errors } from "undici";
import { isReserved } from "../call-headers.ts";
import { methodPath } from "../grpc/method-codec.ts";
import { unreachable } from "../grpc/status.ts";
import { type HttpConnection, NotBegunError } from "./http-connection.ts";

/**
 * Makes a unary call in the form that the Connect protocol gives it over HTTP/1.1: a POST of protobuf, without compression.
 * @throws ConnectError; NotBegunError where it was not sent, or was refused for the size of its metadata
 */
export async function callOverHttp<I extends DescMessage, O extends DescMessage>(
  connection: HttpConnection,
  request: UnaryRequest<I, O>,
  deadline: number | undefined,
): Promise<UnaryResponse<I, O>> {
  const { method, service, signal } = request;
  const body = toBinary(method.input, request.message);
  const { status, headers, bytes } = await exchange(connection, {
    ...{ path: methodPath(method), headers: headersOf(request.header, deadline), body, signal },
  });
  if (status === 431) throw new NotBegunError("the metadata is too large for HTTP/1.1");
  const [header, trailer] = metadataOf(headers);
  if (status !== 200 || headers["content-type"] !== contentTypeUnaryProto) {
    throw failureOf(request, { status, headers, bytes });
  }
  return { stream: false, method, service, header, trailer, message: parsed(method.output, bytes) };
}

interface Asked {
  readonly path: string;
  readonly headers: string[];
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

function exchange(connection: HttpConnection, { signal, ...asked }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const chunks: Buffer[] = [];
    let head: Omit<Answered, "bytes"> = { status: 0, headers: {} };
    let leave = () => {};
    const settle = () => signal.removeEventListener("abort", leave);
    connection.dispatch(
      { ...asked, method: "POST" },
      {
        onRequestStart(controller) {
          leave = () => controller.abort(new Error("the caller left"));
          signal.addEventListener("abort", leave, { once: true });
        },
        onResponseStart(_controller, status, headers) {
          head = { status, headers };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          settle();
          const [only = Buffer.alloc(0)] = chunks;
          resolve({ ...head, bytes: chunks.length > 1 ? Buffer.concat(chunks) : only });
        },
        onResponseError(_controller, error) {
          settle();
          reject(signal.aborted ? signal.reason : lossOf(error));
        },
      },
    );
  });
}

/** What a connection that ended means for the call on it; the words of the error name addresses, and stay the cause. */
function lossOf(error: Error): Error {
  if (error instanceof NotBegunError) return error;
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new ConnectError("the answer is too large", Code.ResourceExhausted, undefined, undefined, error);
  }
  return new ConnectError(unreachable, Code.Unavailable, undefined, undefined, error);
}

function headersOf(metadata: Headers, deadline: number | undefined): string[] {
  const headers = ["content-type", contentTypeUnaryProto, "connect-protocol-version", "1"];
  if (deadline !== undefined) headers.push("connect-timeout-ms", String(Math.max(1, Math.ceil(deadline - Date.now()))));
  for (const [name, value] of metadata) if (!isReserved(name)) headers.push(name, value);
  return headers;
}

const trailerPrefix = "trailer-";

/** Headers and trailers of an answer, which a unary answer has all in its head. */
function metadataOf(headers: IncomingHttpHeaders): [header: Headers, trailer: Headers] {
  const [header, trailer] = [new Headers(), new Headers()];
  for (const [name, values] of Object.entries(headers)) {
    if (values === undefined || isReserved(name)) continue;
    const isTrailer = name.startsWith(trailerPrefix);
    const [target, key] = isTrailer ? [trailer, name.slice(trailerPrefix.length)] : [header, name];
    for (const value of typeof values === "string" ? [values] : values) target.append(key, value);
  }
  return [header, trailer];
}

function failureOf({ method }: UnaryRequest, { status, headers, bytes }: Answered): ConnectError {
  const [header, trailer] = metadataOf(headers);
  const metadata = new Headers([...header, ...trailer]);
  try {
    const type = new Headers({ "content-type": headers["content-type"] ?? "" });
    const { isUnaryError, unaryError } = validateResponse(method.methodKind, true, status, type);
    if (isUnaryError) return errorFromJsonBytes(bytes, metadata, unaryError);
    return new ConnectError("the answer has an unexpected format", Code.Internal, metadata);
  } catch (error) {
    return ConnectError.from(error);
  }
}

function parsed<O extends DescMessage>(schema: O, bytes: Uint8Array) {
  try {
    // A plain view: `bytes` fields would otherwise be Buffers, which compare and print differently.
    return fromBinary(schema, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    throw new ConnectError("the answer cannot be read", Code.Internal, undefined, undefined, error);
  }
}
