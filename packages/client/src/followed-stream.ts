import type { components } from "../gen/api.d.ts";
import { PlatformError } from "./platform-error.ts";
import type { ServerEvent } from "./server-events.ts";

/** What comes over a connection of several streams. */
export type StreamEvent = components["schemas"]["FollowStreamsResponse"];

/**
 * - `wanted`: to be asked for, or being read
 * - `behind`: its reader takes less than what comes. It is asked for again, from the last event it got, once the reader has caught up
 * - `waiting`: the platform could not answer it; it is asked for again after a pause
 * - `over`: it has ended, or failed for good, or its reader has left
 */
export type FollowedState = "wanted" | "behind" | "waiting" | "over";

/** Events that wait for a reader at most. */
const maxQueued = 100;
/** Statuses after which asking again may help. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** One of the streams that share a connection: where it is, and what its reader has not taken yet. */
export class FollowedStream {
  readonly path: string;
  /** Whether it is over here because the platform has no shared connections: its reader goes on without. */
  goesAlone = false;
  /** Attempts since its last event that the platform could not answer. */
  failures = 0;
  #state: FollowedState = "wanted";
  #lastEventId = "";
  readonly #queue: ServerEvent<unknown>[] = [];
  #failure: unknown;
  #news = Promise.withResolvers<void>();

  constructor(path: string) {
    this.path = path;
  }

  get state(): FollowedState {
    return this.#state;
  }

  /** Id of the event that it has got last; empty before the first. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** How it is asked for, from its last event on. */
  get address(): components["schemas"]["StreamAddress"] {
    return { path: this.path, ...(this.#lastEventId && { last_event_id: this.#lastEventId }) };
  }

  /** Takes an event that came for it. Events that come while it is not wanted are those that are asked for again. */
  take({ event_id, data, problem, ended }: StreamEvent): void {
    if (this.#state !== "wanted") return;
    if (problem !== null) this.#refuse(problem);
    else if (ended) this.#end();
    else if (this.#queue.length >= maxQueued) this.#state = "behind";
    else {
      this.failures = 0;
      this.#lastEventId = event_id ?? this.#lastEventId;
      this.#queue.push({ id: event_id ?? "", data });
      this.#news.resolve();
    }
  }

  /** Asks for it again, after a pause or because its reader has caught up. */
  resume(): void {
    if (this.#state !== "over") this.#state = "wanted";
  }

  /** Ends it for its reader: after the events that it has got. */
  fail(error: unknown): void {
    this.#failure = error;
    this.#end();
  }

  /** Ends it here, for a reader that goes on from its last event without the connection. */
  goAlone(): void {
    if (this.#state === "over") return;
    this.goesAlone = true;
    this.#end();
  }

  /** Ends it because its reader wants no more. Returns whether it was not over yet. */
  leave(): boolean {
    const wasOpen = this.#state !== "over";
    this.#queue.length = 0;
    this.#end();
    return wasOpen;
  }

  /** The events for its reader. `onCaughtUp`: its reader was behind, and has taken all there was. */
  async *events(onCaughtUp: () => void): AsyncGenerator<ServerEvent<unknown>, void, undefined> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) yield event;
      else if (this.#state === "over") break;
      else if (this.#state === "behind") onCaughtUp();
      else {
        await this.#news.promise;
        this.#news = Promise.withResolvers();
      }
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #refuse({ status, body }: NonNullable<StreamEvent["problem"]>): void {
    if (passing.has(status)) {
      this.#state = "waiting";
      this.failures += 1;
    } else this.fail(new PlatformError(new Response(null, { status }), body));
  }

  #end(): void {
    this.#state = "over";
    this.#news.resolve();
  }
}
