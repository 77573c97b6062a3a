import type { DescMethod, DescMethodStreaming, DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";

/** What goes along with an RPC. */
export interface RpcOptions {
  /** Metadata. */
  readonly headers: Headers;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Milliseconds; undefined for streams, which live as long as both sides want. */
  readonly timeoutMs: number | undefined;
}

/** How RPCs are made. Failures are `ConnectError`s. */
export interface RpcCaller {
  unary(method: DescMethod, message: Message, options: RpcOptions): Promise<RpcAnswer>;
  /** `messages` is read no faster than they are taken, and given up when the answer comes first. */
  clientStream(method: DescMethod, messages: AsyncIterable<Message>, options: RpcOptions): Promise<RpcAnswer>;
  serverStream(method: DescMethod, message: Message, options: RpcOptions): Promise<RpcStream>;
}

export interface RpcAnswer {
  readonly message: Message;
  readonly header: Headers;
  readonly trailer: Headers;
}

export interface RpcStream {
  readonly header: Headers;
  readonly messages: AsyncIterable<Message>;
}

/** Makes RPCs over Connect transports; `pick` chooses one, by service and if need be by the message. */
export function callerFromTransport(pick: (service: DescService, message: Message) => Transport): RpcCaller {
  return {
    async unary(method, message, { headers, signal, timeoutMs }) {
      if (method.methodKind !== "unary") throw new ConnectError("not a unary RPC", Code.Unimplemented);
      // The union of methods is not narrowed by its kind, though that has just been looked at.
      const unary = method as DescMethodUnary;
      const answer = await pick(method.parent, message).unary(unary, signal, timeoutMs, headers, message);
      return { message: answer.message, header: answer.header, trailer: answer.trailer };
    },
    async clientStream(method, messages, { headers, signal, timeoutMs }) {
      if (method.methodKind !== "client_streaming") throw new ConnectError("not a client stream", Code.Unimplemented);
      const streaming = method as DescMethodStreaming;
      const [first, rest] = await opened(messages);
      const answer = await pick(method.parent, first).stream(streaming, signal, timeoutMs, headers, rest);
      for await (const message of answer.message) return { message, header: answer.header, trailer: answer.trailer };
      throw new ConnectError("the service answered nothing", Code.Unimplemented);
    },
    async serverStream(method, message, { headers, signal, timeoutMs }) {
      if (method.methodKind !== "server_streaming") throw new ConnectError("not a server stream", Code.Unimplemented);
      const streaming = method as DescMethodStreaming;
      const answer = await pick(method.parent, message).stream(streaming, signal, timeoutMs, headers, once(message));
      return { header: answer.header, messages: answer.message };
    },
  };
}

/** A message as a stream. */
export async function* once<T>(message: T): AsyncGenerator<T> {
  yield message;
}

/** The first message of a stream, and the stream with it. */
async function opened(messages: AsyncIterable<Message>): Promise<[Message, AsyncIterable<Message>]> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) throw new ConnectError("a stream needs a first message", Code.InvalidArgument);
  return [first.value, startingWith(first.value, iterator)];
}

async function* startingWith(first: Message, rest: AsyncIterator<Message>): AsyncGenerator<Message> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
