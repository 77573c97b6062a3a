import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@aiplatform/document-store";
import type { SealedSecrets } from "./sealed-secrets.ts";

const againAfterMs = 5_000;

/** Wraps data keys under the current key in the background, until all are. Dispose it to stop. */
export function rewrapDataKeys(
  secrets: Pick<SealedSecrets, "rewrapAll">,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): AsyncDisposable {
  const stopped = new AbortController();
  const over = AbortSignal.any([signal, stopped.signal]);
  const work = async () => {
    while (!over.aborted) {
      try {
        const count = await secrets.rewrapAll(over);
        if (count > 0) logger.info({ count }, "data keys were put under the current key");
        return;
      } catch (error) {
        logger.warn({ err: error }, "data keys could not all be put under the current key; that is tried again");
        await delay(againAfterMs, undefined, { signal: over }).catch(() => undefined);
      }
    }
  };
  const done = work();
  return {
    [Symbol.asyncDispose]: () => {
      stopped.abort();
      return done;
    },
  };
}
