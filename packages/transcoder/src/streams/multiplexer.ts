import {
  type FollowStreamsRequest,
  FollowStreamsRequestSchema,
  type FollowStreamsResponse,
  FollowStreamsResponseSchema,
  type StreamAddress,
  type StreamProblem,
  StreamProblemSchema,
} from "@aiplatform/contract/transcoder/v1/streams";
import { create, isMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { type Call, failureOf, pathOf, prepareCall, readMessage, type Settings } from "../call.ts";
import { HttpError } from "../errors/http-error.ts";
import { renderPlain } from "../errors/writer.ts";
import type { Handler } from "../handlers.ts";
import { isContent } from "../messages/field-traits.ts";
import type { Prepare } from "../options.ts";
import { eventIdOf } from "../response/event-id.ts";
import type { RpcStream } from "../rpc/caller.ts";
import { merged } from "./merged.ts";

/** What the streams are opened with. */
export interface FollowOptions {
  readonly settings: Settings;
  readonly requestId: string;
  /** Prepares the call of each stream. */
  readonly prepare: Prepare | undefined;
  /** Ends all of them. */
  readonly signal: AbortSignal;
}

/** The streams of a request as one. Each is opened, refused and ended as if it were the only one. */
export function followStreams(request: Message, options: FollowOptions): RpcStream {
  return { header: new Headers(), messages: merged(addressesOf(request).map((one, at) => follow(one, at, options))) };
}

function addressesOf(request: Message): FollowStreamsRequest["streams"] {
  // The contract was checked for it when the transcoder was made.
  return isMessage(request, FollowStreamsRequestSchema) ? request.streams : [];
}

async function* follow(
  address: StreamAddress,
  stream: number,
  options: FollowOptions,
): AsyncGenerator<FollowStreamsResponse, void, undefined> {
  const { settings, signal } = options;
  const event = (content: MessageInitShape<typeof FollowStreamsResponseSchema>) =>
    create(FollowStreamsResponseSchema, { stream, ...content });
  const call = callOf(address, options);
  if (call === undefined) return yield event({ problem: problemOf(noStream, settings) });
  const left = new AbortController();
  try {
    const { write, compiled } = call.handler;
    for await (const message of await opened(call, options, left.signal)) {
      const eventId =
        compiled.binding.eventId.length === 0 ? {} : { eventId: eventIdOf(message, compiled.binding.eventId) };
      yield event({ ...eventId, data: { utf8: asBytes(write(message)) } });
    }
    if (!signal.aborted) yield event({ ended: true });
  } catch (error) {
    if (!signal.aborted) yield event({ problem: problemOf(failureOf(call, settings, error), settings) });
  } finally {
    left.abort();
    call.context?.done?.();
  }
}

const noStream = new HttpError(404, "No operation streams events at this path", "not_found");

/** The call that a GET of the address would make; undefined where that streams no events. */
function callOf({ path: target, lastEventId }: StreamAddress, options: FollowOptions): Call | undefined {
  const { settings, requestId, prepare } = options;
  const route = settings.routes.find(pathOf(target));
  const handler = route?.methods.get("GET");
  if (route === undefined || handler === undefined || !streamsEvents(handler)) return undefined;
  const header = (name: string) => (name === "last-event-id" ? lastEventId : undefined);
  const segments = handler.segmentsOf(route.found);
  return { handler, request: { target, header }, segments, requestId, prepare, context: undefined };
}

function streamsEvents({ compiled: { operation, binding } }: Handler): boolean {
  return operation.streams && !operation.route.multiplexes && !isContent(binding.responseBody);
}

async function opened(
  call: Call,
  { settings, signal }: FollowOptions,
  left: AbortSignal,
): Promise<RpcStream["messages"]> {
  const { headers, signal: given } = await prepareCall(call);
  const message = readMessage(call, undefined, settings);
  const signals = AbortSignal.any([signal, left, ...(given ? [given] : [])]);
  const { method } = call.handler.compiled.operation;
  const { messages } = await settings.call.serverStream(method, message, {
    headers,
    signal: signals,
    timeoutMs: undefined,
  });
  return messages;
}

function problemOf(failure: HttpError, { errorBytes }: Settings): StreamProblem {
  const seconds = Number(failure.headers["retry-after"]);
  return create(StreamProblemSchema, {
    status: failure.status,
    body: { utf8: Buffer.from(renderPlain(failure, errorBytes)) },
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
  });
}

function asBytes(json: string | Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  return typeof json === "string" ? Buffer.from(json) : json;
}
