import { delay } from "./delay.ts";
import { FollowedStream, type StreamEvent } from "./followed-stream.ts";
import type { PlatformClient } from "./platform-client.ts";
import { PlatformError } from "./platform-error.ts";
import { messagesOf, type ServerEvent } from "./server-events.ts";

/** Streams of one connection at most, as the platform bounds them. */
export const maxStreams = 32;
/** Changes within so many milliseconds open the connection again once: a page begins and ends several streams together. */
const settleMs = 20;
const minPauseMs = 500;
const maxPauseMs = 10_000;
/** A connection on which nothing came for so long is lost: the platform says every 15 seconds that it is there. */
const maxSilenceMs = 45_000;

/** Whether the streams come: open, or broken off and being opened again. */
export type StreamConnectionState = "live" | "reconnecting";

/** What an earlier platform answers, which has no such operation. */
const absent: ReadonlySet<number> = new Set([404, 405]);

/** How a stream is followed that does not share the connection: from an event on, empty for all of it. */
export type FollowAlone<T> = (lastEventId: string) => AsyncGenerator<ServerEvent<T>, void, undefined>;

interface StreamConnectionOptions {
  readonly platform: Pick<PlatformClient, "POST">;
  readonly onState: (state: StreamConnectionState) => void;
}

/** The pause after so many failures, ms: doubled with each, with jitter, so that clients do not come back together. */
export function pauseAfter(failures: number, random: () => number = Math.random): number {
  return Math.min(minPauseMs * 2 ** (failures - 1), maxPauseMs) * (0.5 + random() / 2);
}

/** One connection and the streams that share it. It is open while one of them is wanted. */
export class StreamConnection {
  readonly #options: StreamConnectionOptions;
  readonly #streams = new Set<FollowedStream>();
  /** Aborted when other streams are wanted than those that were asked for. */
  #changed = new AbortController();
  #isRunning = false;

  constructor(options: StreamConnectionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Follows a stream. It is asked for when the first event is. Where the platform has no such connections, `alone` follows it. */
  async *follow<T>(
    path: string,
    alone: FollowAlone<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<ServerEvent<T>, void, undefined> {
    if (signal?.aborted) return;
    const stream = new FollowedStream(path);
    const leave = () => {
      if (stream.leave()) this.#change();
    };
    signal?.addEventListener("abort", leave);
    this.#streams.add(stream);
    this.#change();
    try {
      const events = stream.events(() => {
        stream.resume();
        this.#change();
      });
      // What a stream holds, the API's description says by its path.
      for await (const event of events) yield event as ServerEvent<T>;
    } finally {
      signal?.removeEventListener("abort", leave);
      this.#streams.delete(stream);
      leave();
    }
    if (stream.goesAlone && !signal?.aborted) yield* alone(stream.lastEventId);
  }

  #change(): void {
    this.#changed.abort();
    if (!this.#isRunning && this.#streams.size > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let failures = 0;
    while (this.#streams.size > 0) {
      await delay(settleMs);
      this.#changed = new AbortController();
      const { signal } = this.#changed;
      const asked = [...this.#streams].filter(({ state }) => state === "wanted");
      const outcome = asked.length === 0 ? "idle" : await this.#connect(asked, signal, () => (failures = 0));
      if (outcome === "idle") await aborted(signal);
      if (outcome !== "broken" || signal.aborted) continue;
      failures += 1;
      this.#options.onState("reconnecting");
      await delay(pauseAfter(failures), signal).catch(() => undefined);
    }
    this.#isRunning = false;
  }

  /** Reads until the connection breaks or the streams change; `idle` when all streams are done with. */
  async #connect(
    asked: readonly FollowedStream[],
    signal: AbortSignal,
    onAnswer: () => void,
  ): Promise<"idle" | "broken"> {
    try {
      const { response, error } = await this.#options.platform.POST("/platform/streams", {
        body: { streams: asked.map(({ address }) => address) },
        headers: { accept: "text/event-stream" },
        parseAs: "stream",
        signal,
      });
      if (!response.ok) throw new PlatformError(response, error);
      this.#options.onState("live");
      for await (const { event, data } of messagesOf(response, maxSilenceMs)) {
        if (signal.aborted) return "broken";
        if (event === "error") return "broken";
        onAnswer();
        this.#deliver(asked, JSON.parse(data));
      }
    } catch (error) {
      if (!signal.aborted) this.#giveUp(asked, error);
    }
    return asked.some(({ state }) => state === "wanted") ? "broken" : "idle";
  }

  /** Ends the streams of a connection that would be refused again. */
  #giveUp(asked: readonly FollowedStream[], error: unknown): void {
    if (!isFinal(error)) return;
    const isAbsent = error instanceof PlatformError && absent.has(error.status);
    // The platform answers, and streams that go alone say by themselves how they fare.
    if (isAbsent) this.#options.onState("live");
    for (const stream of asked)
      if (isAbsent) stream.goAlone();
      else stream.fail(error);
  }

  #deliver(asked: readonly FollowedStream[], event: StreamEvent): void {
    const stream = asked[event.stream];
    stream?.take(event);
    if (stream?.state !== "waiting") return;
    void delay(pauseAfter(stream.failures)).then(() => {
      stream.resume();
      if (stream.state === "wanted") this.#change();
    });
  }
}

/** Whether asking again would only bring the same. */
function isFinal(error: unknown): boolean {
  return error instanceof PlatformError && error.status < 500 && error.status !== 408 && error.status !== 429;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
