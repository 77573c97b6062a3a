import type { DescField, Message } from "@bufbuild/protobuf";
import { interruptionOf, toHttpError } from "../errors/http-error.ts";
import { renderPlain } from "../errors/writer.ts";
import type { AnswerBody, AnswerStream, Exchange } from "../exchange/exchange.ts";
import type { RpcStream } from "../rpc/caller.ts";
import { eventIdOf } from "./event-id.ts";
import { answerHeaders } from "./writer.ts";

const heartbeatMs = 15_000;

/** Milliseconds to wait for the first message, so that a refusal is answered with its own status. */
const timeoutMs = 1000;

/** A stream as it is to be answered. */
export interface StreamAnswer {
  readonly requestId: string;
  readonly opening: Promise<RpcStream>;
  /** Renders one message as a line of JSON. */
  readonly render: (message: Message) => AnswerBody;
  readonly eventId: readonly DescField[];
  /** Aborted when the client has gone, or when the stream is to end: its reason is an `HttpError` then, which the client is told. */
  readonly signal: AbortSignal;
  /** Told of a failure after the first byte. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Answers a server stream: server-sent events when the client asks for them, else one JSON value a line.
 * Waits for slow readers, for as long as the server keeps their connections. Throws what fails before the first byte; a later failure ends the stream with
 * `event: error` or a line `{"error":…}`.
 */
export async function writeStream(exchange: Exchange, answer: StreamAnswer): Promise<void> {
  const isEvents = eventsWanted(exchange);
  let header = new Headers();
  const messages = opened(answer.opening, (received) => {
    header = received;
  });
  let next = messages.next();
  await patiently(next);
  const headers = {
    "cache-control": "no-cache",
    ...answerHeaders(header, answer.requestId),
    "content-type": contentType(isEvents),
    "x-accel-buffering": "no",
  };
  if (exchange.method === "HEAD") {
    // HEAD gets what a GET would begin with. No message is read, and the caller cancels the stream.
    next.catch(() => {});
    exchange.send(200, headers);
    return;
  }
  const stream = exchange.stream(200, headers);
  const heartbeat = isEvents ? setInterval(() => beat(stream), heartbeatMs) : undefined;
  try {
    for (let one = await next; one.done !== true; one = await next) {
      const frame = isEvents ? eventFrame(one.value, answer) : line(answer.render(one.value));
      if (!stream.write(frame)) await stream.drained(answer.signal);
      next = messages.next();
    }
  } catch (error) {
    const interruption = interruptionOf(answer.signal);
    if (answer.signal.aborted && !interruption) return;
    if (!interruption) answer.onFailure(error);
    const failure = renderPlain(interruption ?? toHttpError(error));
    stream.write(Buffer.from(isEvents ? `event: error\ndata: ${failure}\n\n` : `{"error":${failure}}\n`));
  } finally {
    clearInterval(heartbeat);
    stream.end();
    await messages.return();
  }
}

/** A reader for whom more waits than it takes is kept by that, and gets no more. */
function beat(stream: AnswerStream): void {
  if (!stream.isFull) stream.write(Buffer.from(": heartbeat\n\n"));
}

function eventsWanted(exchange: Exchange): boolean {
  return (exchange.header("accept") ?? "").includes("text/event-stream");
}

function contentType(isEvents: boolean): string {
  return isEvents ? "text/event-stream" : "application/x-ndjson";
}

async function* opened(
  opening: Promise<RpcStream>,
  onHeader: (header: Headers) => void,
): AsyncGenerator<Message, void, undefined> {
  const { header, messages } = await opening;
  onHeader(header);
  yield* messages;
}

/** Waits for the first message, but not for ever: a stream may have nothing to say yet. */
async function patiently(first: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, timeoutMs);
  try {
    await Promise.race([first, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function line(json: AnswerBody): Buffer<ArrayBuffer> {
  return Buffer.concat([oneLine(json), Buffer.from("\n")]);
}

function eventFrame(message: Message, { render, eventId }: StreamAnswer): Buffer<ArrayBuffer> {
  const id = eventId.length === 0 ? "" : `id: ${eventIdOf(message, eventId)}\n`;
  return Buffer.concat([Buffer.from(`${id}data: `), oneLine(render(message)), Buffer.from("\n\n")]);
}

/** Free-form JSON may hold line breaks, though only between its values, where a blank does as well. */
function oneLine(rendered: AnswerBody): Buffer<ArrayBuffer> {
  const json = Buffer.from(rendered);
  if (!json.includes(0x0a) && !json.includes(0x0d)) return json;
  return Buffer.from(json.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
