import { setTimeout as delay } from "node:timers/promises";

/** Work that is done again and again, with a pause in between. */
export interface RepeatedWork {
  name: string;
  pauseMs: number;
  work: () => Promise<unknown>;
  /** Ends it after the round under way. */
  until: AbortSignal;
  failed: (error: unknown, name: string) => void;
}

/** Starts it; a round that fails is told and followed by the next. Disposing waits for the round under way. */
export function repeat({ name, pauseMs, work, until, failed }: RepeatedWork): AsyncDisposable {
  const stopping = new AbortController();
  const stopped = AbortSignal.any([until, stopping.signal]);
  const running = (async () => {
    while (!stopped.aborted) {
      await work().catch((error: unknown) => failed(error, name));
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
