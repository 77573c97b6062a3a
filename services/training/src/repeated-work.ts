import { setTimeout as delay } from "node:timers/promises";
import type { Platform } from "@aiplatform/service-host";
import { inBackground } from "@aiplatform/telemetry";

/** Work that is done again and again, with a pause in between. */
export interface RepeatedWork {
  name: string;
  pauseMs: number;
  work: () => Promise<unknown>;
  /** Ends it after the round under way. */
  until: AbortSignal;
  failed: (error: unknown, name: string) => void;
  /** Each round is a trace of its own. */
  tracer: Platform["tracer"];
}

/** Starts it; a round that fails is told and followed by the next. Disposing waits for the round under way. */
export function repeat({ name, pauseMs, work, until, failed, tracer }: RepeatedWork): AsyncDisposable {
  const stopping = new AbortController();
  const stopped = AbortSignal.any([until, stopping.signal]);
  const running = (async () => {
    while (!stopped.aborted) {
      await inBackground(tracer, name, async () => {
        // Within it, so that the line that tells of a failure names its trace.
        await work().catch((error: unknown) => failed(error, name));
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
