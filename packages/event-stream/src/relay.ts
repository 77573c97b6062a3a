import type { Logger } from "@aiplatform/document-store";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { relayMetrics } from "./event-metrics.ts";
import type { EventStream } from "./event-stream.ts";
import type { OutboxSource } from "./outbox-source.ts";

export interface RelayOptions {
  source: OutboxSource;
  stream: EventStream;
  logger?: Logger;
  /** Shows how much waits. */
  meter?: Meter;
  /** What the outbox is called in the metrics. Default `outbox`. */
  name?: string;
  /** Longest time before something unpublished is noticed without a wake-up, ms. Default 1 000. */
  scanIntervalMs?: number;
  /**
   * Rest after a look, ms. Default 50. What is staged meanwhile goes out together with the next look, so that under load the
   * relay costs a few looks a second and not one per event; after a longer silence a wake-up is followed at once.
   */
  restMs?: number;
}

export interface Relay extends AsyncDisposable {
  /** Look now. */
  wake(): void;
  /** Publishes what is pending if NATS is there, then stops. */
  close(): Promise<void>;
}

const batchSize = 256;
const longestBackoffMs = 10_000;

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
  readonly #scanIntervalMs: number;
  readonly #restMs: number;
  readonly #subscriptions: { close(): void }[];
  readonly #running: Promise<void>;
  readonly #stopShowing: () => void;
  #closing = false;
  #woken = false;
  #rouse: () => void = () => {};
  #failures = 0;
  #incarnation: string | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#scanIntervalMs = options.scanIntervalMs ?? 1_000;
    this.#restMs = options.restMs ?? 50;
    const wake = () => this.wake();
    this.#stopShowing = showBacklog(options);
    const changes = options.source.changes?.(wake);
    this.#subscriptions = [options.stream.onReady(wake), ...(changes ? [changes] : [])];
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#rouse();
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const subscription of this.#subscriptions) subscription.close();
    this.#stopShowing();
    this.wake();
    await this.#running;
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
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      // Once per outage and then now and again, not once per attempt.
      if (this.#failures % 20 === 3)
        this.#options.logger?.warn({ err: error }, "events are not published yet; trying on");
    }
  }

  async #publishBatch(): Promise<number> {
    const { source, stream } = this.#options;
    await this.#noticeIncarnation();
    const records = await source.pending(batchSize);
    if (records.length === 0) return 0;
    await stream.publish(records);
    await source.markPublished(records.map((record) => record.id));
    return records.length;
  }

  async #noticeIncarnation(): Promise<void> {
    const { source, stream, logger } = this.#options;
    const incarnation = stream.incarnation();
    if (incarnation === undefined || incarnation === this.#incarnation) return;
    const replayed = (await source.replayInto?.(incarnation)) ?? 0;
    if (replayed > 0) logger?.warn({ replayed }, "the stream was lost and made anew; publishing again what is kept");
    this.#incarnation = incarnation;
  }

  /** Until the next scan, or a wake-up after the rest; after a failure wake-ups do not shorten the back-off. */
  async #sleep(): Promise<void> {
    if (this.#failures > 0) {
      const backoff = Math.min(longestBackoffMs, 100 * 2 ** this.#failures) * (0.5 + Math.random() / 2);
      this.#woken = false;
      await this.#wait(backoff, () => this.#closing || this.#options.stream.incarnation() !== undefined);
      return;
    }
    await this.#wait(this.#restMs, () => this.#closing);
    if (!this.#woken) await this.#wait(this.#scanIntervalMs, () => true);
    this.#woken = false;
  }

  /** Waits that long, or until roused while `rouses` holds. */
  async #wait(ms: number, rouses: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#rouse = () => {
      if (rouses()) resolve();
    };
    await promise;
    clearTimeout(timer);
    this.#rouse = () => {};
  }
}

/** One look at the database a scrape for both figures. */
function showBacklog({ source, meter, name: outbox = "outbox" }: RelayOptions): () => void {
  const { outbox_pending, outbox_oldest_seconds } = createInstruments(meter, relayMetrics);
  if (!source.backlog) return () => {};
  const { backlog } = source;
  const stops = [
    outbox_pending.observe(async (tell) => tell((await backlog.call(source)).pending, { outbox })),
    outbox_oldest_seconds.observe(async (tell) => tell((await backlog.call(source)).oldestSeconds, { outbox })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
