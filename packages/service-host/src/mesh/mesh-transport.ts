import { isOutOfTime } from "@aiplatform/caller-identity";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { runStreamingCall } from "@connectrpc/connect/protocol";
import {
  type Client,
  type ClientDuplexStream,
  status as grpcStatus,
  type Metadata,
  type StatusObject,
} from "@grpc/grpc-js";
import { currentCall } from "../current-call.ts";
import { firstMessage } from "../first-message.ts";
import { messagesOf, writeMessage } from "../grpc/message-stream.ts";
import { headersFrom, metadataFrom } from "../grpc/metadata.ts";
import { messageCodec, methodPath } from "../grpc/method-codec.ts";
import { failureFrom } from "../grpc/status.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";
import type { Lookup } from "./address-watch.ts";
import { forwardingInterceptor } from "./forwarding.ts";
import { MeshChannels } from "./mesh-channels.ts";
import type { Replica } from "./replica.ts";
import { retryInterceptor } from "./retry.ts";
import { runUnary } from "./run-unary.ts";

export interface MeshTransport extends Transport {
  /**
   * Closes the connections once the calls that were sent are over. One that still waits for a connection was not sent: it fails
   * with UNAVAILABLE at once.
   */
  close(): void;
}

export interface MeshTransportOptions {
  /**
   * `host:port` of every replica, or one name that resolves to all of them; names are looked up again every second. What
   * follows a `|` is used only while what is before it is not reachable: `users-headless:1|users:1`.
   */
  readonly addresses: string | readonly string[];
  /** Run around every call, retries included, outermost first. */
  readonly interceptors?: readonly Interceptor[];
  /** Who calls, and which authorities the replicas' certificates must be of. Default: without TLS. */
  readonly tls?: MeshIdentity | undefined;
  /** Connections to each address; default 4. */
  readonly channels?: number;
  /** Whether unary calls go over HTTP/1.1 to replicas that offer it; default true. */
  readonly overHttp?: boolean;
  /** How names become IP addresses; default the system's resolver. */
  readonly lookup?: Lookup;
  /** Key of a request: equal keys go to the same replica while it lives. Default: replicas take turns. */
  readonly pick?: (message: unknown, method: DescMethod) => string | undefined;
  /** Milliseconds a unary call has when its caller sets no timeout; default 30,000. */
  readonly defaultTimeoutMs?: number;
}

interface Deadline {
  /** In milliseconds since the epoch; absent: none. */
  readonly deadline?: number;
}

/**
 * A Connect transport whose calls ride on gRPC channels. The deadline of the call being served bounds every call made
 * meanwhile; its request id and trace travel along. Idempotent calls are retried on UNAVAILABLE.
 */
export function createMeshTransport(options: MeshTransportOptions): MeshTransport {
  const addresses = typeof options.addresses === "string" ? [options.addresses] : options.addresses;
  const { tls, lookup, overHttp = true } = options;
  const connecting = { channels: options.channels ?? 4, tls, overHttp, ...(lookup ? { lookup } : {}) };
  const channels = new MeshChannels(addresses, connecting);
  const interceptors = [...(options.interceptors ?? []), forwardingInterceptor(), retryInterceptor()];
  const { pick, defaultTimeoutMs = 30_000 } = options;

  const request = (
    method: DescMethod,
    header: ConstructorParameters<typeof Headers>[0],
    contextValues = createContextValues(),
  ) => ({
    service: method.parent,
    requestMethod: "POST",
    url: `http://mesh${methodPath(method)}`,
    header: new Headers(header),
    contextValues,
  });
  return {
    close: () => channels.close(),
    unary(method, signal, timeoutMs, header, input, contextValues) {
      const remainingMs = boundedTimeout(timeoutMs ?? defaultTimeoutMs);
      const deadline = deadlineIn(remainingMs);
      return runUnary({
        request: { ...request(method, header, contextValues), stream: false, method },
        message: input,
        interceptors,
        signal,
        timeoutMs: remainingMs,
        next: (req) => callWhereReachable(channels, { req, key: pick?.(req.message, method), deadline }),
      });
    },
    stream(method, signal, timeoutMs, header, input, contextValues) {
      const remainingMs = boundedTimeout(timeoutMs);
      const deadline = deadlineIn(remainingMs);
      return runStreamingCall({
        req: { ...request(method, header, contextValues), stream: true, method, message: input },
        interceptors,
        ...(signal ? { signal } : {}),
        ...(remainingMs === undefined ? {} : { timeoutMs: remainingMs }),
        next: async (req) => {
          const { key, messages } = await keyOfStream(
            req.message,
            (message) => pick?.(message, method),
            pick !== undefined,
          );
          const options = { key, passedOver: noReplicas };
          const { channel } = channels.route(options) ?? (await channels.awaitRoute(options, req.signal));
          return callStream(channel, { ...req, message: messages }, deadline);
        },
      });
    },
  };
}

const noReplicas: ReadonlySet<Replica> = new Set();
/** Replicas at which a call has failed, so that its repeats go to others. */
const passedOverKey = createContextKey<Set<Replica> | undefined>(undefined);
/** Connections that one attempt may lose at the moment of sending before it fails. */
const maxLosses = 4;

/** Makes a call at a replica that is reachable, and again at another when it was not sent. */
async function callWhereReachable<I extends DescMessage, O extends DescMessage>(
  channels: MeshChannels,
  { req, key, deadline }: { req: UnaryRequest<I, O>; key: string | undefined; deadline: Deadline },
): Promise<UnaryResponse<I, O>> {
  for (let losses = 0; ; losses++) {
    const options = { key, passedOver: req.contextValues.get(passedOverKey) ?? noReplicas };
    const { replica, channel } = channels.route(options) ?? (await channels.awaitRoute(options, req.signal));
    try {
      const answer = await replica.http?.call(req, deadline.deadline);
      if (answer) return answer;
      // Closed meanwhile: a closed channel takes no call, and another route is looked for.
      if (replica.has(channel)) return await callUnary(channel, req, deadline);
    } catch (error) {
      const failure = ConnectError.from(error);
      if (failure.code !== Code.Unavailable || req.signal.aborted) throw error;
      if (neverLeft(failure) && losses < maxLosses) continue;
      const passedOver = new Set([...options.passedOver, replica]);
      req.contextValues.set(passedOverKey, passedOver);
      if (!isOutOfTime(failure)) throw error;
      // Its clock is wrong, and the handler has not run: any RPC may be made at another replica.
      replica.avoid();
      if (!channels.hasOther(passedOver)) throw error;
    }
  }
}

/**
 * The call found no connection and was not sent, so that any RPC may be made again. grpc-js says it only in words;
 * they are pinned with its version, and the test of draining under load fails when they change.
 */
function neverLeft({ cause }: ConnectError): boolean {
  const words = cause instanceof Error ? cause.message : "";
  return words.startsWith("No connection established") || words.startsWith("Channel closed before call started");
}

/** No call lasts longer than the call being served; a timeout of 0 or less means no deadline of its own. */
function boundedTimeout(givenMs: number | undefined): number | undefined {
  const timeoutMs = givenMs !== undefined && givenMs > 0 ? givenMs : undefined;
  const inherited = currentCall()?.deadline;
  if (inherited === undefined) return timeoutMs;
  return Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, Math.max(1, inherited - Date.now()));
}

function deadlineIn(timeoutMs: number | undefined): Deadline {
  return timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
}

function callUnary<I extends DescMessage, O extends DescMessage>(
  channel: Client,
  req: UnaryRequest<I, O>,
  deadline: Deadline,
): Promise<UnaryResponse<I, O>> {
  return new Promise((resolve, reject) => {
    const { method, service, signal } = req;
    const header = new Headers();
    let message: MessageShape<O> | undefined;
    const call = channel.makeUnaryRequest(
      methodPath(method),
      messageCodec(method.input).serialize,
      messageCodec(method.output).deserialize,
      req.message,
      metadataFrom(req.header),
      deadline,
      (_error, output) => {
        message = output;
      },
    );
    const cancel = () => call.cancel();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    call.on("metadata", (metadata: Metadata) => headersFrom(metadata, header));
    // The status comes last and carries the trailers, which the callback does not get.
    call.on("status", (status: StatusObject) => {
      signal.removeEventListener("abort", cancel);
      if (status.code !== grpcStatus.OK) reject(failureFrom(status, header));
      else if (message === undefined) reject(new ConnectError("the service answered nothing", Code.Unimplemented));
      else resolve({ stream: false, service, method, header, trailer: headersFrom(status.metadata), message });
    });
  });
}

async function callStream<I extends DescMessage, O extends DescMessage>(
  channel: Client,
  req: StreamRequest<I, O>,
  deadline: Deadline,
): Promise<StreamResponse<I, O>> {
  const { method, service, signal } = req;
  const [header, trailer] = [new Headers(), new Headers()];
  const call = channel.makeBidiStreamRequest(
    methodPath(method),
    messageCodec(method.input).serialize,
    messageCodec(method.output).deserialize,
    metadataFrom(req.header),
    deadline,
  );
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const sending = sendAll(call, req.message);
  const ended = new Promise<StatusObject>((resolve) => call.once("status", resolve));
  // The failure is read from the status; without a listener the event would end the process.
  call.on("error", () => {});
  await Promise.race([
    new Promise<void>((resolve) => {
      call.once("metadata", (metadata: Metadata) => {
        headersFrom(metadata, header);
        resolve();
      });
    }),
    ended,
  ]);
  return { stream: true, service, method, header, trailer, message: received() };

  async function* received(): AsyncGenerator<MessageShape<O>> {
    yield* messagesOf<MessageShape<O>>(call, new AbortController().signal);
    const status = await ended;
    signal.removeEventListener("abort", cancel);
    if (sending.failure !== undefined) throw ConnectError.from(sending.failure);
    if (status.code !== grpcStatus.OK) throw failureFrom(status, header);
    headersFrom(status.metadata, trailer);
  }
}

/** Sends while the answers are read; a source that throws cancels the call, and the reader is told why. */
function sendAll<T, U>(call: ClientDuplexStream<T, U>, messages: AsyncIterable<T>): { failure?: unknown } {
  const sending: { failure?: unknown } = {};
  const send = async () => {
    for await (const message of messages) {
      if (call.destroyed || call.writableEnded) return;
      await writeMessage(call, message);
    }
    call.end();
  };
  send().catch((error: unknown) => {
    sending.failure = error;
    call.cancel();
  });
  return sending;
}

/** The first message decides where a stream goes, so with a key it is awaited before the stream is opened. */
async function keyOfStream<T>(
  messages: AsyncIterable<T>,
  keyOf: (message: T) => string | undefined,
  wanted: boolean,
): Promise<{ key: string | undefined; messages: AsyncIterable<T> }> {
  if (!wanted) return { key: undefined, messages };
  const { first, messages: all } = await firstMessage(messages);
  return { key: first === undefined ? undefined : keyOf(first), messages: all };
}
