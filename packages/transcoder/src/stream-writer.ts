import { once } from "node:events";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { DescField, Message } from "@bufbuild/protobuf";
import { renderPlain } from "./error-writer.ts";
import { toHttpError } from "./http-error.ts";

const heartbeatMs = 15_000;

/** A stream as it is to be answered. */
export interface StreamAnswer {
  readonly headers: OutgoingHttpHeaders;
  readonly messages: AsyncIterable<Message>;
  /** Renders one message as a line of JSON. */
  readonly render: (message: Message) => string | Buffer;
  readonly eventId: readonly DescField[];
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Told of a failure after the first byte. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Answers a server stream: server-sent events when the client asks for them, else one JSON value a line.
 * Waits for slow readers. A failure ends the stream with `event: error` or a line `{"error":…}`.
 */
export async function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  answer: StreamAnswer,
): Promise<void> {
  const isEvents = (request.headers.accept ?? "").includes("text/event-stream");
  response.writeHead(200, {
    "cache-control": "no-cache",
    ...answer.headers,
    "content-type": isEvents ? "text/event-stream" : "application/x-ndjson",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const heartbeat = isEvents ? setInterval(() => response.write(": heartbeat\n\n"), heartbeatMs) : undefined;
  try {
    for await (const message of answer.messages) {
      const frame = isEvents ? eventFrame(message, answer) : line(answer.render(message));
      if (!response.write(frame)) await once(response, "drain", { signal: answer.signal });
    }
  } catch (error) {
    if (answer.signal.aborted) return;
    answer.onFailure(error);
    const failure = renderPlain(toHttpError(error));
    response.write(isEvents ? `event: error\ndata: ${failure}\n\n` : `{"error":${failure}}\n`);
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

function line(json: string | Buffer): Buffer {
  return Buffer.concat([oneLine(json), Buffer.from("\n")]);
}

function eventFrame(message: Message, { render, eventId }: StreamAnswer): Buffer {
  const id = eventId.length === 0 ? "" : `id: ${idOf(message, eventId)}\n`;
  return Buffer.concat([Buffer.from(`${id}data: `), oneLine(render(message)), Buffer.from("\n\n")]);
}

function idOf(message: Message, path: readonly DescField[]): string {
  // Walks by local names, which the generic message type does not show.
  let value: unknown = message;
  for (const { localName } of path) value = (value as Record<string, unknown> | undefined)?.[localName];
  return String(value ?? "").replace(/[\r\n\0]/g, "");
}

/** Free-form JSON may hold line breaks, though only between its values, where a blank does as well. */
function oneLine(rendered: string | Buffer): Buffer {
  const json = Buffer.from(rendered);
  if (!json.includes(0x0a) && !json.includes(0x0d)) return json;
  return Buffer.from(json.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
