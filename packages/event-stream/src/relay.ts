import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import type { StagedEvents } from "@aiplatform/document-store";
import { createInstruments } from "@aiplatform/telemetry";
import { EventStreamFullError } from "./errors.ts";
import { relayMetrics } from "./event-metrics.ts";
import { GapRefill, type GapRefillOptions } from "./gap-refill.ts";
import { OutboxShare, outboxSubject } from "./outbox-share.ts";
import { PublishedMarks } from "./published-marks.ts";

export interface RelayOptions extends GapRefillOptions {
  /** The service whose outbox it is: its replicas tell each other what they stage. Default: they find it by scanning. */
  service?: string;
  /** Pause before a look for what was staged without a wake-up, ms. It doubles while there is nothing. Default 1 000. */
  scanIntervalMs?: number;
  /** Longest pause before such a look, ms; three times that for an only replica, which has staged what there is. Default 5 000. */
  maxScanIntervalMs?: number;
  /**
   * Rest after publishing, ms. Default 50. What is staged meanwhile goes out together, so that under load the relay costs a few
   * rounds a second and not one per event; after a longer silence a wake-up is followed at once.
   */
  restMs?: number;
  /** Pause between two looks whether the stream has lost something, ms. Default 5 000; four times that while nothing is published. */
  examineEveryMs?: number;
}

export interface Relay extends AsyncDisposable {
  /** Look now. */
  wake(): void;
  /** Publishes what is pending if NATS is there, then stops. */
  close(): Promise<void>;
}

const batchSize = 256;
const aloneFactor = 3;
const publishing: Backoff = { minMs: 200, maxMs: 10_000 };

/**
 * Moves events from the outbox to the stream, in their order, each at least once. What this process has stored comes from its
 * memory where the source offers that; the database is looked through at the start, after failures, and for what others have
 * left. A record counts as published only after its acknowledgement; whatever fails is published again, starting with the oldest.
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
  readonly #share: OutboxShare;
  readonly #marks: PublishedMarks;
  #closing = false;
  #signalled = false;
  #signal: () => void = () => {};
  #failures = 0;
  /** Whether the database may have something that is not in memory. */
  #wantsLook = true;
  /** Looks in a row that found nothing. */
  #emptyLooks = 0;
  #nextScan = 0;
  /** Whether NATS was away since the last look at what the stream has. */
  #returned = true;
  #full = false;
  /** Records since the start. */
  #published = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { source, stream, service, name = "outbox", scanIntervalMs = 1_000, maxScanIntervalMs = 5_000 } = options;
    this.#scans = { minMs: scanIntervalMs, maxMs: Math.max(scanIntervalMs, maxScanIntervalMs) };
    this.#restMs = options.restMs ?? 50;
    this.#marks = new PublishedMarks((keys) => source.markPublished(keys));
    this.#refill = new GapRefill({ ...options, beforeRepublishing: () => this.#marks.flush() });
    this.#stopShowing = showBacklog(options);
    const subject = service === undefined ? undefined : outboxSubject(service, name);
    const wake = () => this.wake();
    this.#share = new OutboxShare({
      replicas: source.replicas,
      stream,
      subject,
      staged: wake,
      changed: () => this.#startOver(),
    });
    const staging = source.listen?.({ isOwn: this.#share.isOwn, staged: (partition) => this.#staged(partition) });
    const ready = stream.onReady(() => {
      this.#returned = true;
      wake();
    });
    this.#subscriptions = [ready, ...(staging ? [staging] : [])];
    this.#running = this.#run();
    this.#examining = this.#examine();
  }

  wake(): void {
    this.#wantsLook = true;
    this.#notify();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#stop.abort();
    for (const subscription of this.#subscriptions) subscription.close();
    this.#stopShowing();
    this.wake();
    await this.#running;
    await this.#examining;
    await this.#share.close();
  }

  #notify(): void {
    this.#signalled = true;
    this.#signal();
  }

  #staged(partition: string): void {
    if (!this.#share.isOwn(partition)) this.#share.tell();
    else if (this.#options.source.stored) this.#notify();
    else this.wake();
  }

  /** Nothing in memory is known to be in its place any longer: the database tells. */
  #startOver(): void {
    this.#options.source.stored?.forget();
    this.wake();
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
      await this.#assertNothingLost();
      const { stored } = this.#options.source;
      if (this.#wantsLook || stored?.needsLook || performance.now() >= this.#nextScan) await this.#look();
      await this.#publishStored();
      this.#succeeded();
    } catch (error) {
      this.#options.source.stored?.forget();
      this.#wantsLook = true;
      this.#failures += 1;
      this.#full = error instanceof EventStreamFullError;
      // Once per outage and then now and again, not once per attempt.
      if (this.#failures % 20 === 3) this.#options.logger?.warn({ err: error }, "failed to publish events, retrying");
    }
    // What cannot be marked now is kept, and marked with what follows.
    if (this.#closing || this.#marks.isDue) await this.#marks.flush().catch(() => undefined);
  }

  /** Before anything new is published: it would hide that the newest events are gone. */
  async #assertNothingLost(): Promise<void> {
    if (!this.#returned || this.#options.stream.incarnation() === undefined) return;
    this.#returned = false;
    this.#options.source.stored?.forget();
    try {
      await this.#refill.look({ thorough: true });
    } catch (error) {
      this.#returned = true;
      throw error;
    }
  }

  async #look(): Promise<void> {
    const { source } = this.#options;
    this.#wantsLook = false;
    let found = 0;
    const look = { isOwn: this.#share.isOwn, published: this.#marks.keys, limit: batchSize };
    for await (const batch of source.unpublished(look)) {
      await this.#publish(batch);
      found += batch.length;
      this.#succeeded();
    }
    this.#emptyLooks = found === 0 ? this.#emptyLooks + 1 : 1;
    const { minMs, maxMs } = this.#scans;
    const scans = { minMs, maxMs: this.#share.isAlone ? maxMs * aloneFactor : maxMs };
    this.#nextScan = performance.now() + backoffMs(scans, this.#emptyLooks);
  }

  async #publishStored(): Promise<void> {
    const { stored } = this.#options.source;
    for (let more = stored !== undefined; more; ) {
      const batch = (await stored?.take(batchSize)) ?? [];
      await this.#publish(batch.filter(({ key }) => !this.#marks.keys.has(key)));
      more = batch.length === batchSize;
    }
  }

  async #publish(batch: readonly StagedEvents[]): Promise<void> {
    if (batch.length === 0) return;
    // While nothing can be marked, nothing more is published.
    if (this.#marks.isFull) await this.#marks.flush();
    const records = batch.flatMap((staged) => staged.records);
    if (records.length > 0) this.#refill.acknowledged(await this.#options.stream.publish(records));
    this.#published += records.length;
    this.#marks.add(batch.map(({ key }) => key));
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#full = false;
  }

  async #examine(): Promise<void> {
    const { examineEveryMs = 5_000 } = this.#options;
    for (let more = false, pauseMs = examineEveryMs; !this.#stop.signal.aborted; ) {
      const published = this.#published;
      const pause = { signal: this.#stop.signal, ref: false };
      await delay(more ? this.#restMs : pauseMs, undefined, pause).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      pauseMs = published === this.#published ? Math.min(pauseMs * 2, examineEveryMs * 4) : examineEveryMs;
      // What fails here is NATS or the database being away, and the next look comes soon.
      more = await this.#refill.look({ thorough: false }).catch(() => false);
    }
  }

  /** Until there is something to do, after a rest; after a failure only the return of NATS shortens the backoff. */
  async #sleep(): Promise<void> {
    if (this.#failures > 0) {
      this.#signalled = false;
      await this.#wait(backoffMs(publishing, this.#failures), () => this.#closing || this.#hasReturned());
      return;
    }
    await this.#wait(this.#restMs, () => this.#closing);
    const idleMs = Math.min(this.#nextScan - performance.now(), this.#marks.dueInMs);
    if (!this.#signalled && idleMs > 0) await this.#wait(idleMs, () => true);
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
