import { setTimeout as delay } from "node:timers/promises";
import type { Platform } from "@aiplatform/service-host";
import { createInstruments, inBackground } from "@aiplatform/telemetry";
import { workerMetrics } from "./worker-metrics.ts";

/** Work in the background that is done in rounds. */
export interface WorkerOptions {
  /** The `worker` of its metrics and log lines. */
  readonly name: string;
  /** Milliseconds between the end of a round and the beginning of the next, unless `wake` is called. */
  readonly pauseMs: number;
  /**
   * While the worker is idle, the pause doubles with each round up to this; a `wake`, more work or a failure makes it `pauseMs`
   * again. Default `pauseMs`: it stays the same.
   */
  readonly maxPauseMs?: number;
  /** Whether nothing is in hand that the next round must come in time for. Default: always. */
  readonly isIdle?: () => boolean;
  /** Does what is due. Answers true when more may be due: the next round begins at once. `signal` aborts when the worker ends. */
  readonly round: (signal: AbortSignal) => Promise<unknown>;
  /** Whether each round is a trace of its own. Default false: most rounds find nothing to do. */
  readonly isTraced?: boolean;
  /** Ends the worker after the round under way, as disposing does. */
  readonly signal?: AbortSignal;
}

export interface Worker extends AsyncDisposable {
  /** Begins the next round now, or once the one under way is over. */
  wake(): void;
  /** Has a round begin in that time at the latest. A time that is no shorter than the longest pause changes nothing. */
  wakeWithin(ms: number): void;
}

/** What a worker logs and is measured with. */
export interface WorkerPlatform {
  readonly logger: Pick<Platform["logger"], "warn">;
  readonly meter?: Platform["meter"] | undefined;
  readonly tracer?: Platform["tracer"] | undefined;
}

/** The pause after the next round, ms. */
export function pauseAfter(
  { pauseMs, maxPauseMs = pauseMs }: Pick<WorkerOptions, "pauseMs" | "maxPauseMs">,
  { pausedMs, wasIdle }: { pausedMs: number; wasIdle: boolean },
): number {
  return wasIdle ? Math.min(pausedMs * 2, maxPauseMs) : pauseMs;
}

/** Rings once, at the earliest of the times that it was set to since. */
class Alarm {
  readonly #ring: () => void;
  #at = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  set(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#at) return;
    this.clear();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.clear();
      this.#ring();
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }
}

/** Milliseconds between two log lines of rounds that go on failing. */
const logPauseMs = 60_000;

/** Starts a worker. A round that fails is logged and counted, and the next one follows after the pause. */
export function startWorker(platform: WorkerPlatform, options: WorkerOptions): Worker {
  return new WorkerLoop(platform, options);
}

class WorkerLoop implements Worker {
  readonly #platform: WorkerPlatform;
  readonly #options: WorkerOptions;
  readonly #rounds: { add(by: number, labels: { worker: string; outcome: "done" | "failed" }): void };
  readonly #stopping = new AbortController();
  readonly #stopped: AbortSignal;
  readonly #alarm = new Alarm(() => this.wake());
  readonly #stopObserving: () => void;
  readonly #running: Promise<void>;
  #signalled = Promise.withResolvers<void>();
  #failures = 0;
  #nextPauseMs: number;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(platform: WorkerPlatform, options: WorkerOptions) {
    const { name: worker, pauseMs, signal } = options;
    const { worker_rounds_total, worker_failing_rounds } = createInstruments(platform.meter, workerMetrics);
    this.#platform = platform;
    this.#options = options;
    this.#rounds = worker_rounds_total;
    this.#nextPauseMs = pauseMs;
    this.#stopped = signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal;
    this.#stopped.addEventListener("abort", () => this.wake(), { once: true });
    this.#stopObserving = worker_failing_rounds.observe((report) => report(this.#failures, { worker }));
    this.#running = this.#run();
  }

  wake(): void {
    this.#signalled.resolve();
  }

  wakeWithin(ms: number): void {
    const { pauseMs, maxPauseMs = pauseMs } = this.#options;
    if (ms < maxPauseMs && !this.#stopped.aborted) this.#alarm.set(ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#stopObserving();
    await this.#running;
    this.#alarm.clear();
  }

  async #run(): Promise<void> {
    const { name, pauseMs, isTraced = false } = this.#options;
    const attempt = () => this.#attempt();
    while (!this.#stopped.aborted) {
      // Before the round, so that a wake during it is not lost.
      this.#signalled = Promise.withResolvers();
      const hasMore = await (isTraced ? inBackground(this.#platform.tracer, name, attempt) : attempt());
      if (hasMore) this.#nextPauseMs = pauseMs;
      else await this.#pause();
    }
  }

  async #attempt(): Promise<boolean> {
    const { name: worker, round } = this.#options;
    try {
      const hasMore = (await round(this.#stopped)) === true;
      this.#failures = 0;
      this.#rounds.add(1, { worker, outcome: "done" });
      return hasMore;
    } catch (error) {
      this.#failures += 1;
      this.#rounds.add(1, { worker, outcome: "failed" });
      if (this.#failures === 1 || performance.now() - this.#loggedAt >= logPauseMs) {
        this.#loggedAt = performance.now();
        const facts = { err: error, worker, attempt: this.#failures };
        this.#platform.logger.warn(facts, "worker round failed, retrying");
      }
      return false;
    }
  }

  async #pause(): Promise<void> {
    const { isIdle = () => true } = this.#options;
    const over = new AbortController();
    const waited = delay(this.#nextPauseMs, false, { signal: over.signal }).catch(() => false);
    const isSignalled = await Promise.race([waited, this.#signalled.promise.then(() => true)]);
    over.abort();
    const wasIdle = !isSignalled && this.#failures === 0 && isIdle();
    this.#nextPauseMs = pauseAfter(this.#options, { pausedMs: this.#nextPauseMs, wasIdle });
  }
}
