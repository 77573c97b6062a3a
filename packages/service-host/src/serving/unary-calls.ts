import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { withReason } from "@aiplatform/caller-identity";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { invokeUnaryImplementation } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, contentTypeUnaryProto, errorToJson } from "@connectrpc/connect/protocol-connect";
import { isReserved } from "../call-headers.ts";
import { packedDetails } from "../grpc/status.ts";
import type { OpenCalls } from "../open-calls.ts";
import { boundArrival, readOn } from "./arrival.ts";

type UnarySpec = MethodImplSpec & { readonly kind: "unary" };

interface UnaryOptions {
  readonly services: readonly ServiceImplSpec[];
  readonly interceptors: Interceptor[];
  readonly calls: OpenCalls;
  readonly maxMessageBytes: number;
  /** Whether what is refused before any interceptor gets an ErrorInfo that names its code. */
  readonly addsReasons: boolean;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * Unary calls of the Connect protocol in their plainest form: a POST of protobuf, without compression. It is what services
 * call each other with. Connect's adapter serves every form of a call, for about twice the CPU of this one.
 */
export class UnaryCalls {
  readonly #o: UnaryOptions;
  readonly #specs: ReadonlyMap<string, UnarySpec>;

  constructor(o: UnaryOptions) {
    this.#o = o;
    const specs = o.services.flatMap(({ methods }) => Object.values(methods)).filter((spec) => spec.kind === "unary");
    this.#specs = new Map(specs.map((spec) => [`/${spec.method.parent.typeName}/${spec.method.name}`, spec]));
  }

  /** Takes a request that has this form. Answers whether it has taken it. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== "POST" || !isPlain(request.headers)) return false;
    const spec = this.#specs.get(request.url ?? "");
    if (!spec) return false;
    boundArrival(request, response, spec.method);
    response.once("finish", () => readOn(request));
    readBody(request, this.#o.maxMessageBytes, (body) => {
      if (body instanceof ConnectError) send(response, this.#refused(body));
      else void this.#call(spec, body, { request, response });
    });
    return true;
  }

  async #call(
    spec: UnarySpec,
    body: Uint8Array,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): Promise<void> {
    const timeout = request.headers["connect-timeout-ms"];
    const { context, cancel, close } = this.#o.calls.open({
      ...{ method: spec.method, protocolName: "connect", requestHeader: headersOf(request) },
      requestedMs: timeout === undefined ? undefined : Number(timeout),
      peer: () => request.socket.remoteAddress,
    });
    response.once("close", () => {
      if (!response.writableFinished) cancel();
    });
    if (response.closed) cancel();
    const answer = await this.#answer(spec, context, body);
    close();
    try {
      send(response, answer, context);
    } catch (error) {
      // Metadata of the handler's that cannot be written.
      const failure = new ConnectError("internal error", Code.Internal, undefined, undefined, error);
      send(response, this.#refused(failure));
    }
  }

  async #answer(spec: UnarySpec, context: HandlerContext, body: Uint8Array): Promise<Answer> {
    const { input, output } = spec.method;
    const request = parsed(input, body);
    if (request instanceof ConnectError) return this.#refused(request);
    try {
      const message = await invokeUnaryImplementation(spec, context, request, this.#o.interceptors);
      return { status: 200, type: contentTypeUnaryProto, body: toBinary(output, message) };
    } catch (error) {
      const failure = ConnectError.from(error, Code.Internal);
      // Metadata that came over the wire belongs to that hop; details and code travel on.
      if (!failure.isWireError) {
        for (const [name, value] of failure.metadata) context.responseHeader.append(name, value);
      }
      return errorAnswer(failure);
    }
  }

  #refused(error: ConnectError): Answer {
    return errorAnswer(this.#o.addsReasons ? withReason(error) : error);
  }
}

/** Other forms, and what cannot be read, are the adapter's to serve and to refuse. */
function isPlain(headers: IncomingHttpHeaders): boolean {
  const timeout = headers["connect-timeout-ms"];
  return (
    headers["content-type"] === contentTypeUnaryProto &&
    headers["content-encoding"] === undefined &&
    headers["accept-encoding"] === undefined &&
    (timeout === undefined || (typeof timeout === "string" && /^\d{1,10}$/.test(timeout)))
  );
}

/** Never told of a request that breaks off: nothing of its call has happened. */
function readBody(request: IncomingMessage, maxBytes: number, done: (body: Uint8Array | ConnectError) => void): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) return void chunks.push(chunk);
    if (size - chunk.length <= maxBytes) done(tooLarge(maxBytes));
  });
  request.once("end", () => {
    const [only = new Uint8Array()] = chunks;
    if (size <= maxBytes) done(chunks.length > 1 ? Buffer.concat(chunks) : only);
  });
  // What breaks off ends the response as well, and that is enough to know.
  request.on("error", () => {});
}

function tooLarge(maxBytes: number): ConnectError {
  return new ConnectError(`the message is larger than ${maxBytes} bytes`, Code.ResourceExhausted);
}

function parsed<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> | ConnectError {
  try {
    // A plain view: `bytes` fields would otherwise be Buffers, which compare and print differently.
    return fromBinary(schema, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    return new ConnectError("the message cannot be read", Code.InvalidArgument, undefined, undefined, error);
  }
}

/** The metadata of a call. What belongs to the transport is left out: to add a header costs more than most of a call's other steps. */
function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    if (!isReserved(name)) headers.append(name, rawHeaders[i + 1] ?? "");
  }
  return headers;
}

function errorAnswer(error: ConnectError): Answer {
  const packed = new ConnectError(error.rawMessage, error.code);
  packed.details = packedDetails(error);
  const body = Buffer.from(JSON.stringify(errorToJson(packed, undefined)));
  return { status: codeToHttpStatus(error.code), type: "application/json", body };
}

function send(response: ServerResponse, { status, type, body }: Answer, context?: HandlerContext): void {
  if (response.closed) return;
  const head: OutgoingHttpHeaders = { "content-type": type, "content-length": body.byteLength };
  for (const [name, value] of context?.responseHeader ?? []) if (!isReserved(name)) head[name] = value;
  for (const [name, value] of context?.responseTrailer ?? []) head[`trailer-${name}`] = value;
  response.writeHead(status, head).end(body);
}
