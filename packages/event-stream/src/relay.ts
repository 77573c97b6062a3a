import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import { createInstruments } from "@aiplatform/telemetry";
import { EventStreamFullError } from "./errors.ts";
import { relayMetrics } from "./event-metrics.ts";
import { GapRefill, type GapRefillOptions } from "./gap-refill.ts";

export interface RelayOptions extends GapRefillOptions {
  /** Pause before a look for what was staged without a wake-up, ms. It doubles while there is nothing. Default 1 000. */
  scanIntervalMs?: number;
  /** Longest pause before such a look, ms. Default 5 000. */
  maxScanIntervalMs?: number;
  /**
   * Rest after a look, ms. Default 50. What is staged meanwhile goes out together with the next look, so that under load the
   * relay costs a few looks a second and not one per event; after a longer silence a wake-up is followed at once.
   */
  restMs?: number;
  /** Pause between two looks whether the stream has lost something, ms. Default 5 000. */
  examineEveryMs?: number;
}

export interface Relay extends AsyncDisposable {
  /** Look now. */
  wake(): void;
  /** Publishes what is pending if NATS is there, then stops. */
  close(): Promise<void>;
}

const batchSize = 256;
const publishing: Backoff = { minMs: 200, maxMs: 10_000 };

/**
 * Moves events from the outbox to the stream, in their order, each at least once. A record counts as published only after its
 * acknowledgement; whatever fails is published again, starting with the oldest.
 */
export function startRelay(options: RelayOptions): Relay {
  const loop = new RelayLoop(options);
  return { wake: () => loop.wake(), close: () => loop.close(), [Symbol.asyncDispose]: () => loop.close() };
}

class RelayLoop {
  readonly #options: RelayOptions;
  readonly #scans: Backoff;
  readonly #restMs: number;
  readonly #subscriptions: { close(): void }[];
  readonly #running: Promise<void>;
  readonly #refill: GapRefill;
  readonly #examining: Promise<void>;
  readonly #stop = new AbortController();
  readonly #stopShowing: () => void;
  #closing = false;
  #signalled = false;
  #signal: () => void = () => {};
  #failures = 0;
  /** Looks in a row that found nothing, or that found what was there last. */
  #emptyLooks = 0;
  /** Whether NATS was away since the last look at what the stream has. */
  #returned = true;
  #full = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { scanIntervalMs = 1_000, maxScanIntervalMs = 5_000 } = options;
    this.#scans = { minMs: scanIntervalMs, maxMs: Math.max(scanIntervalMs, maxScanIntervalMs) };
    this.#restMs = options.restMs ?? 50;
    this.#refill = new GapRefill(options);
    const wake = () => this.wake();
    this.#stopShowing = showBacklog(options);
    const changes = options.source.changes?.(wake);
    const ready = options.stream.onReady(() => {
      this.#returned = true;
      wake();
    });
    this.#subscriptions = [ready, ...(changes ? [changes] : [])];
    this.#running = this.#run();
    this.#examining = this.#examine();
  }

  wake(): void {
    this.#signalled = true;
    this.#signal();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#stop.abort();
    for (const subscription of this.#subscriptions) subscription.close();
    this.#stopShowing();
    this.wake();
    await this.#running;
    await this.#examining;
  }

  async #run(): Promise<void> {
    for (;;) {
      const last = this.#closing;
      await this.#drain();
      if (last) return;
      if (!this.#closing) await this.#sleep();
    }
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.#publishBatch()) === batchSize);
      this.#succeeded();
    } catch (error) {
      this.#failures += 1;
      this.#full = error instanceof EventStreamFullError;
      // Once per outage and then now and again, not once per attempt.
      if (this.#failures % 20 === 3) this.#options.logger?.warn({ err: error }, "failed to publish events, retrying");
    }
  }

  async #publishBatch(): Promise<number> {
    const { source, stream } = this.#options;
    if (this.#returned && stream.incarnation() !== undefined) {
      this.#returned = false;
      await this.#lookAfterReturn();
    }
    const records = await source.pending(batchSize);
    this.#emptyLooks = records.length === 0 ? this.#emptyLooks + 1 : 1;
    if (records.length === 0) return 0;
    this.#refill.acknowledged(await stream.publish(records));
    await source.markPublished(records.map((record) => record.id));
    this.#succeeded();
    return records.length;
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#full = false;
  }

  /** Before anything new is published: it would hide that the newest events are gone. */
  async #lookAfterReturn(): Promise<void> {
    try {
      await this.#refill.look({ thorough: true });
    } catch (error) {
      this.#returned = true;
      throw error;
    }
  }

  async #examine(): Promise<void> {
    const { examineEveryMs = 5_000 } = this.#options;
    for (let more = false; !this.#stop.signal.aborted; ) {
      const pause = { signal: this.#stop.signal, ref: false };
      await delay(more ? this.#restMs : examineEveryMs, undefined, pause).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      // What fails here is NATS or the database being away, and the next look comes soon.
      more = await this.#refill.look({ thorough: false }).catch(() => false);
    }
  }

  /** Until the next scan, or a wake-up after the rest; after a failure only the return of NATS shortens the backoff. */
  async #sleep(): Promise<void> {
    if (this.#failures > 0) {
      this.#signalled = false;
      await this.#wait(backoffMs(publishing, this.#failures), () => this.#closing || this.#hasReturned());
      return;
    }
    await this.#wait(this.#restMs, () => this.#closing);
    if (!this.#signalled) await this.#wait(backoffMs(this.#scans, this.#emptyLooks), () => true);
    this.#signalled = false;
  }

  #hasReturned(): boolean {
    return !this.#full && this.#returned && this.#options.stream.incarnation() !== undefined;
  }

  /** Waits that long, or until signalled while `ends` holds. */
  async #wait(ms: number, ends: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#signal = () => {
      if (ends()) resolve();
    };
    await promise;
    clearTimeout(timer);
    this.#signal = () => {};
  }
}

/** One look at the database a scrape for both figures. */
function showBacklog({ source, meter, name: outbox = "outbox" }: RelayOptions): () => void {
  const { outbox_pending, outbox_oldest_seconds } = createInstruments(meter, {
    outbox_pending: relayMetrics.outbox_pending,
    outbox_oldest_seconds: relayMetrics.outbox_oldest_seconds,
  });
  if (!source.backlog) return () => {};
  const { backlog } = source;
  const stops = [
    outbox_pending.observe(async (report) => report((await backlog.call(source)).pending, { outbox })),
    outbox_oldest_seconds.observe(async (report) => report((await backlog.call(source)).oldestSeconds, { outbox })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
