import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createHandlerContext,
  createServiceImplSpec,
  type Interceptor,
  type MethodImplSpec,
  type ServiceImpl,
} from "@connectrpc/connect";
import { invokeUnaryImplementation, transformInvokeImplementation } from "@connectrpc/connect/protocol";
import { once, type RpcCaller, type RpcOptions } from "./caller.ts";

/** Takes the implementations that are called. */
export interface ImplementationRegistry {
  /** Adds a service. RPCs without an implementation are `UNIMPLEMENTED`. */
  service<T extends DescService>(service: T, implementation: Partial<ServiceImpl<T>>): void;
}

export interface ImplementationOptions {
  /** Run around each call, the first outermost: one that validates with protovalidate, for instance. */
  readonly interceptors?: Interceptor[];
}

/** Told to a call's signal when it is over; one for all, because making an error costs more than the call. */
const callOver = new ConnectError("the call is over", Code.Canceled);

/**
 * Calls implementations in this process without a transport in between: no message is serialized. Deadline, cancellation and
 * failures are those of a transport.
 */
export function callerFromImplementations(
  register: (registry: ImplementationRegistry) => void,
  { interceptors = [] }: ImplementationOptions = {},
): RpcCaller {
  const specs = new Map<string, MethodImplSpec>();
  register({
    service(service, implementation) {
      for (const spec of Object.values(createServiceImplSpec(service, implementation).methods))
        specs.set(nameOf(spec.method), spec);
    },
  });
  const specOf = <K extends MethodImplSpec["kind"]>(method: DescMethod, kind: K) => {
    const spec = specs.get(nameOf(method));
    if (spec?.kind !== kind)
      throw new ConnectError(`${nameOf(method)} is not implemented as ${kind}`, Code.Unimplemented);
    // The union is not narrowed by a generic kind, though that has just been looked at.
    return spec as Extract<MethodImplSpec, { kind: K }>;
  };
  return {
    async unary(method, message, options) {
      const spec = specOf(method, "unary");
      const context = openContext(method, options);
      const ended = endOf(context.signal);
      try {
        const reply = invokeUnaryImplementation(spec, context, message, interceptors);
        return {
          message: await Promise.race([reply, ended.promise]),
          header: context.responseHeader,
          trailer: context.responseTrailer,
        };
      } catch (error) {
        throw asConnectError(error);
      } finally {
        ended.forget();
        context.abort(callOver);
      }
    },
    async clientStream(method, messages, options) {
      const spec = specOf(method, "client_streaming");
      const context = openContext(method, options);
      const replies = transformInvokeImplementation(spec, context, interceptors)(messages);
      for await (const message of messagesOf(replies, context))
        return { message, header: context.responseHeader, trailer: context.responseTrailer };
      throw new ConnectError("the implementation answered nothing", Code.Internal);
    },
    async serverStream(method, message, options) {
      const spec = specOf(method, "server_streaming");
      const context = openContext(method, options);
      const replies = transformInvokeImplementation(spec, context, interceptors)(once(message));
      return { header: context.responseHeader, messages: messagesOf(replies, context) };
    },
  };
}

type Context = ReturnType<typeof createHandlerContext>;

function openContext(method: DescMethod, { headers, signal, timeoutMs }: RpcOptions): Context {
  return createHandlerContext({
    service: method.parent,
    method,
    protocolName: "in-process",
    requestMethod: "POST",
    url: `in-process:/${method.parent.typeName}/${method.name}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    requestSignal: signal,
    requestHeader: headers,
  });
}

/** The stream as its reader sees it. An implementation that does not look at its signal holds up no reader. */
async function* messagesOf(replies: AsyncIterable<Message>, context: Context): AsyncGenerator<Message> {
  const iterator = replies[Symbol.asyncIterator]();
  const ended = endOf(context.signal);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), ended.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw asConnectError(error);
  } finally {
    ended.forget();
    context.abort(callOver);
    // Not awaited: it waits for a step that is under way.
    iterator.return?.().catch(() => undefined);
  }
}

/** Rejects when the deadline has passed or the caller has gone. */
function endOf(signal: AbortSignal): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nothing waits for it when the call was over first.
  promise.catch(() => undefined);
  const onAbort = () => {
    const { reason } = signal;
    reject(reason instanceof ConnectError ? reason : new ConnectError("the caller has gone", Code.Canceled));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}

/** What is no failure of an RPC is a fault of the implementation, whose text stays inside. */
function asConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  return new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
