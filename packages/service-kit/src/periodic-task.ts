import { setTimeout as delay } from "node:timers/promises";
import type { Platform } from "@aiplatform/service-host";
import { inBackground } from "@aiplatform/telemetry";

/** Work that is done again and again, with a pause in between. */
export interface PeriodicTask {
  readonly name: string;
  /** Milliseconds between the end of one round and the beginning of the next. */
  readonly pauseMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Starts the task. A round that fails is logged, and the next one follows; each is a trace of its own. No round begins
 * once the service drains, and disposing waits for the one under way.
 */
export function startPeriodicTask(
  { signal, logger, tracer }: Pick<Platform, "signal" | "logger" | "tracer">,
  { name, pauseMs, run }: PeriodicTask,
): AsyncDisposable {
  const stopping = new AbortController();
  const stopped = AbortSignal.any([signal, stopping.signal]);
  const running = (async () => {
    while (!stopped.aborted) {
      await inBackground(tracer, name, async () => {
        // Within it, so that the log line of a failure names its trace.
        await run().catch((error: unknown) => logger.warn({ err: error }, `${name} failed, retrying`));
      });
      await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
