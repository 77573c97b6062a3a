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

/** Milliseconds between two log lines of rounds that go on failing. */
const logPauseMs = 60_000;

/** Starts a worker. A round that fails is logged and counted, and the next one follows after the pause. */
export function startWorker({ logger, meter, tracer }: WorkerPlatform, options: WorkerOptions): Worker {
  const { name: worker, pauseMs, isIdle = () => true, round, isTraced = false, signal } = options;
  const { worker_rounds_total, worker_failing_rounds } = createInstruments(meter, workerMetrics);
  const stopping = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  let signalled = Promise.withResolvers<void>();
  let failures = 0;
  let nextPauseMs = pauseMs;
  let loggedAt = Number.NEGATIVE_INFINITY;
  stopped.addEventListener("abort", () => signalled.resolve(), { once: true });
  const stopObserving = worker_failing_rounds.observe((report) => report(failures, { worker }));

  const attempt = async (): Promise<boolean> => {
    try {
      const hasMore = (await round(stopped)) === true;
      failures = 0;
      worker_rounds_total.add(1, { worker, outcome: "done" });
      return hasMore;
    } catch (error) {
      failures += 1;
      worker_rounds_total.add(1, { worker, outcome: "failed" });
      if (failures === 1 || performance.now() - loggedAt >= logPauseMs) {
        loggedAt = performance.now();
        logger.warn({ err: error, worker, attempt: failures }, "worker round failed, retrying");
      }
      return false;
    }
  };
  const pause = async () => {
    const over = new AbortController();
    const waited = delay(nextPauseMs, false, { signal: over.signal }).catch(() => false);
    const isSignalled = await Promise.race([waited, signalled.promise.then(() => true)]);
    over.abort();
    const wasIdle = !isSignalled && failures === 0 && isIdle();
    nextPauseMs = pauseAfter(options, { pausedMs: nextPauseMs, wasIdle });
  };
  const running = (async () => {
    while (!stopped.aborted) {
      // Before the round, so that a wake during it is not lost.
      signalled = Promise.withResolvers();
      const hasMore = await (isTraced ? inBackground(tracer, worker, attempt) : attempt());
      if (hasMore) nextPauseMs = pauseMs;
      else await pause();
    }
  })();
  return {
    wake: () => signalled.resolve(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      stopObserving();
      await running;
    },
  };
}
