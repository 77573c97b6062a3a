import type { Readable, Writable } from "node:stream";

/**
 * The messages of a gRPC stream, each read only when it is asked for, so that a slow consumer slows its sender.
 * Ends where the stream ends, also where it is destroyed; throws the reason when `signal` aborts.
 */
export async function* messagesOf<T>(stream: Readable, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  let wake = () => {};
  const notify = () => wake();
  const events = ["readable", "end", "close", "error"];
  for (const event of events) stream.on(event, notify);
  signal.addEventListener("abort", notify, { once: true });
  try {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const message: T | null = stream.read();
      if (message !== null) yield message;
      else if (stream.readableEnded || stream.destroyed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    for (const event of events) stream.off(event, notify);
    signal.removeEventListener("abort", notify);
  }
}

/** Writes one message and waits while the stream's buffer is full; a destroyed stream swallows it. */
export async function writeMessage(stream: Writable, message: unknown): Promise<void> {
  if (stream.destroyed || stream.writableEnded || stream.write(message)) return;
  await new Promise<void>((resolve) => {
    const settle = () => {
      stream.off("drain", settle);
      stream.off("close", settle);
      resolve();
    };
    stream.once("drain", settle);
    stream.once("close", settle);
  });
}
