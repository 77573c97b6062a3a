import type { Logger } from "@aiplatform/document-store";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import type { JetStreamManager, StreamState } from "nats";
import { EventStreamFullError } from "./errors.ts";
import { streamMetrics } from "./event-metrics.ts";
import type { NatsSession } from "./nats-session.ts";
import { trimUpTo } from "./stream-limits.ts";
import type { SubjectNames } from "./subjects.ts";

/** Publishers stop here: beyond, NATS would refuse large events and take small ones, and so change their order. */
const fullShare = 0.95;
/** Above the first share, what every consumer has read is removed down to the second. */
const trimAboveShare = 0.5;
const trimToShare = 0.4;
/** What is known holds this long. */
const knownForMs = 1_000;

/** How far a consumer has come. */
export interface Progress {
  num_pending: number;
  num_ack_pending: number;
  delivered: { stream_seq: number };
  ack_floor: { stream_seq: number };
}

/** Of a consumer that is expected and not there yet: it has read nothing. */
export const nothingRead: Progress = {
  num_pending: 1,
  num_ack_pending: 0,
  delivered: { stream_seq: 0 },
  ack_floor: { stream_seq: 0 },
};

/** Up to which sequence these consumers are done with every event, in a stream that ended at `last` before they were asked. */
export function doneUpTo(last: number, consumers: readonly Progress[]): number {
  return consumers.reduce((done, { num_pending, num_ack_pending, delivered, ack_floor }) => {
    // A consumer of rare events acknowledges none of the others: its floor alone would hold everything back.
    if (num_ack_pending > 0) return Math.min(done, ack_floor.stream_seq);
    return num_pending > 0 ? Math.min(done, delivered.stream_seq) : done;
  }, last);
}

/** Up to which sequence events should leave so that there is room again, of those up to `removable`; undefined: none. */
function trimTarget(
  { bytes, messages, first_seq }: Pick<StreamState, "bytes" | "messages" | "first_seq">,
  { maxBytes, removable }: { maxBytes: number; removable: number },
): number | undefined {
  if (bytes <= maxBytes * trimAboveShare) return undefined;
  const surplus = Math.ceil((bytes - maxBytes * trimToShare) / (bytes / messages));
  const upTo = Math.min(first_seq + surplus - 1, removable);
  return upTo >= first_seq ? upTo : undefined;
}

/** Removes events up to `removable`, which all readers are done with, as far as room is needed. */
export async function makeRoom(manager: JetStreamManager, names: SubjectNames, removable: number): Promise<void> {
  const { state, config } = await manager.streams.info(names.stream);
  const upTo = trimTarget(state, { maxBytes: config.max_bytes, removable });
  if (upTo !== undefined) await trimUpTo(manager, config, upTo);
}

interface StreamRoomDependencies {
  session: NatsSession;
  names: SubjectNames;
  logger: Logger;
  meter?: Meter | undefined;
}

/** Knows how full the stream is, and for how long it has taken nothing. */
export class StreamRoom {
  readonly #dependencies: StreamRoomDependencies;
  readonly #stops: (() => void)[];
  #bytes: { used: number; limit: number } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #refusedSince: number | undefined;

  constructor(dependencies: StreamRoomDependencies) {
    this.#dependencies = dependencies;
    const { event_stream_bytes, event_stream_stalled_seconds } = createInstruments(dependencies.meter, {
      event_stream_bytes: streamMetrics.event_stream_bytes,
      event_stream_stalled_seconds: streamMetrics.event_stream_stalled_seconds,
    });
    this.#stops = [
      event_stream_bytes.observe(async (report) => {
        if (dependencies.session.isReady) await this.#look().catch(() => undefined);
        if (!this.#bytes) return;
        report(this.#bytes.used, { kind: "used" });
        report(this.#bytes.limit, { kind: "limit" });
      }),
      event_stream_stalled_seconds.observe((report) => report(this.stalledMs() / 1_000)),
    ];
  }

  /** @throws EventStreamFullError, and an error when NATS does not say how full the stream is */
  async assert(): Promise<void> {
    await this.#look();
    if (this.#bytes && this.#bytes.used >= this.#bytes.limit * fullShare) throw new EventStreamFullError();
  }

  /** NATS had no room for an event. */
  refused(): void {
    if (this.#bytes) this.#bytes.used = this.#bytes.limit;
  }

  /** Whether NATS acknowledged what was published last. */
  acknowledged(yes: boolean): void {
    if (yes) this.#refusedSince = undefined;
    else this.#refusedSince ??= performance.now();
  }

  /** For how long NATS has been there and acknowledged nothing that was published, ms. */
  stalledMs(): number {
    if (!this.#dependencies.session.connected) this.#refusedSince = undefined;
    return this.#refusedSince === undefined ? 0 : performance.now() - this.#refusedSince;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#lookedAt < knownForMs) return;
    const { session, names } = this.#dependencies;
    const { state, config } = await session.ready().manager.streams.info(names.stream);
    this.#bytes = { used: state.bytes, limit: config.max_bytes };
    this.#lookedAt = performance.now();
  }
}
