import type { Logger } from "@aiplatform/document-store";
import type { SealedSecrets } from "./sealed-secrets.ts";

/** What a worker in the background is started with. */
export interface DataKeyRewrap {
  readonly name: string;
  readonly pauseMs: number;
  /** Aborts when all data keys are wrapped, too. */
  readonly signal: AbortSignal;
  readonly round: (signal: AbortSignal) => Promise<void>;
}

/**
 * Wraps data keys under the current key, again after a failure, until all are. Not once more after that: a replica with the
 * earlier order of keys would wrap them back.
 */
export function dataKeyRewrap(
  secrets: Pick<SealedSecrets, "rewrapAll">,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): DataKeyRewrap {
  const done = new AbortController();
  return {
    name: "data-key-rewrap",
    pauseMs: 5_000,
    signal: AbortSignal.any([signal, done.signal]),
    round: async (ending) => {
      const count = await secrets.rewrapAll(ending);
      if (count > 0) logger.info({ count }, "data keys were rewrapped with the current key");
      done.abort();
    },
  };
}
