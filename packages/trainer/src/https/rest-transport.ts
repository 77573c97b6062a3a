import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  getOption,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { jsonOf, linesOf, type PlatformRequest, type RequestHeaders, send, unanswered } from "./gateway-request.ts";
import { fromRestJson, toRestJson } from "./rest-json.ts";

/** Where the trainer's job is. */
export interface RestAddress {
  /** Of the gateway, such as `https://platform.example.com`. */
  url: string;
  pipelineId: string;
}

/** Time that a report has for its answer, ms. */
const reportTimeoutMs = 30_000;

/** RPCs that REST does not have, since a request has one body: each of their messages becomes a request of its own. */
const oneByOne: ReadonlyMap<string, DescMethod> = new Map([
  [TrainerService.method.report.name, TrainerService.method.sendReport],
]);

/** What is sent to an operation. */
interface Call {
  method: DescMethod;
  json: JsonObject;
  headers: RequestHeaders;
  signal: AbortSignal | undefined;
}

type Input<I extends DescMessage> = AsyncIterable<MessageInitShape<I>>;

/**
 * Carries the RPCs of trainers as the REST operations that the contract declares, so that a trainer needs the gateway's address alone.
 * Streams of events are read as lines of JSON.
 */
export function createRestTransport(address: RestAddress): Transport {
  return {
    async unary(method, signal, timeoutMs, headers, input) {
      const json = toRestJson(method.input, create(method.input, input));
      const call = { method, json, headers, signal: within(timeoutMs, signal) };
      const { answer, header } = await ask(address, call);
      const message = messageOf(method.output, wrapped(method, answer));
      return { stream: false, service: method.parent, method, header, trailer: new Headers(), message };
    },
    async stream(method, signal, _timeoutMs, headers, input) {
      const unary = oneByOne.get(method.name);
      const call = { headers, signal };
      const message = unary
        ? answersOf(address, method, { ...call, input, unary })
        : eventsOf(address, method, { ...call, input });
      const header = new Headers();
      return { stream: true, service: method.parent, method, header, trailer: new Headers(), message };
    },
  };
}

async function ask(address: RestAddress, call: Call): Promise<{ answer: JsonValue; header: Headers }> {
  const response = await send(address.url, requestOf(address, call));
  return { answer: await jsonOf(response, call.signal), header: response.headers };
}

async function* answersOf<I extends DescMessage, O extends DescMessage>(
  address: RestAddress,
  method: DescMethodStreaming<I, O>,
  { input, unary, headers, signal }: Pick<Call, "headers" | "signal"> & { input: Input<I>; unary: DescMethod },
): AsyncGenerator<MessageShape<O>> {
  for await (const request of input) {
    const json = toRestJson(method.input, create(method.input, request));
    const call = { method: unary, json, headers, signal: within(reportTimeoutMs, signal) };
    yield messageOf(method.output, (await ask(address, call)).answer);
  }
}

async function* eventsOf<I extends DescMessage, O extends DescMessage>(
  address: RestAddress,
  method: DescMethodStreaming<I, O>,
  { input, ...call }: Pick<Call, "headers" | "signal"> & { input: Input<I> },
): AsyncGenerator<MessageShape<O>> {
  for await (const request of input) {
    const json = toRestJson(method.input, create(method.input, request));
    const response = await send(address.url, requestOf(address, { method, json, ...call }));
    for await (const line of linesOf(response, call.signal)) yield messageOf(method.output, line);
  }
}

function requestOf({ pipelineId }: RestAddress, { method, json, headers, signal }: Call): PlatformRequest {
  const { pattern } = getOption(method, route);
  if (pattern.case === undefined) throw new ConnectError(`${method.name} is no REST operation`, Code.Unimplemented);
  const members = new Map<string, JsonValue>(Object.entries({ pipeline_id: pipelineId, ...json }));
  const path = pattern.value.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = members.get(name);
    members.delete(name);
    return encodeURIComponent(String(value));
  });
  const sent = new Headers(headers);
  sent.set("content-type", "application/json");
  const body = JSON.stringify(Object.fromEntries(members));
  return { method: pattern.case.toUpperCase(), path, headers: sent, body, signal };
}

/** Of an operation whose answer is one field of the message. */
function wrapped(method: DescMethod, answer: JsonValue): JsonValue {
  const { responseBody } = getOption(method, route);
  return responseBody === "" ? answer : { [responseBody]: answer };
}

function messageOf<O extends DescMessage>(desc: O, json: JsonValue): MessageShape<O> {
  try {
    return fromRestJson(desc, json);
  } catch (error) {
    throw unanswered(error, undefined);
  }
}

function within(timeoutMs: number | undefined, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
