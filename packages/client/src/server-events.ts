import { createParser, type EventSourceMessage, ParseError } from "eventsource-parser";
import { delay } from "./delay.ts";
import { PlatformError, StreamFailedError } from "./platform-error.ts";

/** One event of a stream. */
export interface ServerEvent<T> {
  /** Where the stream goes on after it. Empty for a stream that starts again each time. */
  id: string;
  data: T;
}

/** Pause before a stream that broke off is asked for again, ms. */
const pauseMs = 500;
const maxPauseMs = 10_000;
/** Characters of one event at most. */
const maxEventBytes = 32 * 1024 * 1024;

/**
 * The events of a stream. When it breaks off it is asked for again from the last event on, for ever; it ends when the
 * platform ends it well, or by `signal`. `open` asks for the stream, given the id to go on after: at first `lastEventId`.
 * @throws PlatformError when it is refused, StreamFailedError when it fails for good, SyntaxError and ParseError when
 * what comes is no such stream
 */
export async function* serverEvents<T>(
  open: (lastEventId: string) => Promise<Response>,
  signal?: AbortSignal,
  lastEventId = "",
): AsyncGenerator<ServerEvent<T>, void, undefined> {
  let last = lastEventId;
  for (let failures = 0; !signal?.aborted; failures += 1) {
    const response = await open(last);
    if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined));
    try {
      for await (const { id = "", event, data } of messagesOf(response)) {
        failures = 0;
        if (event === "error") throw new StreamFailedError(JSON.parse(data));
        last = id || last;
        yield { id, data: JSON.parse(data) };
      }
      return;
    } catch (error) {
      if (isFinal(error)) throw error;
    }
    const wait = Math.min(pauseMs * 2 ** failures, maxPauseMs);
    await delay(wait, signal).catch(() => undefined);
  }
}

/** Whether asking again would only bring the same; a connection that breaks is not. */
function isFinal(error: unknown): boolean {
  if (error instanceof StreamFailedError) return !error.isPassing;
  return error instanceof SyntaxError || error instanceof ParseError;
}

/**
 * The messages of one answer. `maxSilenceMs`: how long nothing at all may come, heartbeats included; unset: for ever.
 * @throws Error when that is over, ParseError
 */
export async function* messagesOf(
  { body }: Response,
  maxSilenceMs?: number,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  if (!body) throw new TypeError("the stream has no body");
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  let failure: ParseError | undefined;
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent: (message) => messages.push(message),
    onError: (error) => {
      failure ??= error;
    },
  });
  // Not every browser iterates a stream by `for await`.
  const reader = body.getReader();
  try {
    const next = () => within(maxSilenceMs, reader.read());
    for (let part = await next(); !part.done; part = await next()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield* messages.splice(0);
      if (failure) throw failure;
    }
  } finally {
    // A reader that stops early closes the connection.
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(ms: number | undefined, coming: Promise<T>): Promise<T> {
  if (ms === undefined) return coming;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
  }
}
