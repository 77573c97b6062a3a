import type { DescMethod, Message, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor, type MethodImplSpec, type ServiceImplSpec } from "@connectrpc/connect";
import { invokeUnaryImplementation, transformInvokeImplementation } from "@connectrpc/connect/protocol";
import type {
  Metadata,
  MethodDefinition,
  ServerDuplexStream,
  ServerUnaryCall,
  ServiceDefinition,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { OpenCall, OpenCalls } from "../open-calls.ts";
import { messagesOf, writeMessage } from "./message-stream.ts";
import { headersFrom, metadataFrom } from "./metadata.ts";
import { messageCodec, methodPath } from "./method-codec.ts";
import { statusFrom } from "./status.ts";

interface HandlerOptions {
  readonly interceptors: Interceptor[];
  readonly calls: OpenCalls;
}

interface ServerCall {
  readonly metadata: Metadata;
  getDeadline(): Date | number;
  getPeer(): string;
  on(event: "cancelled", listener: () => void): unknown;
}

/** What grpc-js needs to serve a Connect implementation; streams of all three kinds go through one path. */
export function grpcHandlers(
  { methods }: ServiceImplSpec,
  options: HandlerOptions,
): { definition: ServiceDefinition; implementation: UntypedServiceImplementation } {
  const definition: Record<string, MethodDefinition<Message, Message>> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const [name, spec] of Object.entries(methods)) {
    const streams = spec.kind !== "unary";
    const [request, response] = [messageCodec(spec.method.input), messageCodec(spec.method.output)];
    definition[name] = {
      path: methodPath(spec.method),
      // On the wire a stream of one message is a message: only unary calls are worth a path of their own.
      requestStream: streams,
      responseStream: streams,
      requestSerialize: request.serialize,
      requestDeserialize: request.deserialize,
      responseSerialize: response.serialize,
      responseDeserialize: response.deserialize,
    };
    implementation[name] = spec.kind === "unary" ? unaryHandler(spec, options) : streamHandler(spec, options);
  }
  return { definition, implementation };
}

function unaryHandler(spec: MethodImplSpec & { kind: "unary" }, options: HandlerOptions) {
  type Input = MessageShape<typeof spec.method.input>;
  type Output = MessageShape<typeof spec.method.output>;
  return async (call: ServerUnaryCall<Input, Output>, answer: sendUnaryData<Output>): Promise<void> => {
    const open = openCall(call, spec.method, options.calls);
    const { context } = open;
    try {
      const output = await invokeUnaryImplementation(spec, context, call.request, options.interceptors);
      call.sendMetadata(metadataFrom(context.responseHeader));
      answer(null, output, metadataFrom(context.responseTrailer));
    } catch (error) {
      // Without headers of the handler's, grpc-js sends status and trailers in one frame.
      if (hasEntries(context.responseHeader)) call.sendMetadata(metadataFrom(context.responseHeader));
      answer(statusFrom(ConnectError.from(error), context.responseTrailer));
    } finally {
      open.close();
    }
  };
}

function streamHandler(spec: Exclude<MethodImplSpec, { kind: "unary" }>, options: HandlerOptions) {
  type Input = MessageShape<typeof spec.method.input>;
  type Output = MessageShape<typeof spec.method.output>;
  return async (call: ServerDuplexStream<Input, Output>): Promise<void> => {
    const open = openCall(call, spec.method, options.calls);
    const { context } = open;
    const outputs = transformInvokeImplementation(
      spec,
      context,
      options.interceptors,
    )(requestsOf<Input>(call, context));
    const iterator = outputs[Symbol.asyncIterator]();
    const sendHeader = once(() => call.sendMetadata(metadataFrom(context.responseHeader)));
    try {
      for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
        sendHeader();
        await writeMessage(call, step.value);
        if (context.signal.aborted) throw context.signal.reason;
      }
      sendHeader();
      call.end(metadataFrom(context.responseTrailer));
    } catch (error) {
      // Not awaited: a handler that does not look at its signal must not hold the answer back.
      iterator.return?.()?.catch(() => {});
      if (call.destroyed) return;
      if (hasEntries(context.responseHeader)) sendHeader();
      call.emit("error", statusFrom(ConnectError.from(error, Code.Internal), context.responseTrailer));
    } finally {
      open.close();
    }
  };
}

/** A stream that broke off must not look like one that its caller finished. */
async function* requestsOf<T>(
  call: ServerDuplexStream<T, unknown>,
  context: { signal: AbortSignal },
): AsyncGenerator<T> {
  yield* messagesOf<T>(call, context.signal);
  if (!call.readableEnded) throw new ConnectError("the caller's stream broke off", Code.Canceled);
}

function openCall(call: ServerCall, method: DescMethod, calls: OpenCalls): OpenCall {
  const deadline = Number(call.getDeadline());
  const opened = calls.open({
    ...{ method, protocolName: "grpc", requestHeader: headersFrom(call.metadata) },
    requestedMs: Number.isFinite(deadline) ? deadline - Date.now() : undefined,
    peer: () => hostOf(call.getPeer()),
  });
  // grpc-js says so at the end of every call, also of one that was answered.
  call.on("cancelled", () => opened.cancel());
  return opened;
}

function hasEntries(headers: Headers): boolean {
  return !headers.keys().next().done;
}

/** `127.0.0.1:5000` and `[::1]:5000` without their ports. */
function hostOf(peer: string): string {
  return peer.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
