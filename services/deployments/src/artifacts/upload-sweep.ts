import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@aiplatform/service-host";
import type { UploadSpace } from "./upload-space.ts";

const dayMs = 86_400_000;
const everyMs = 3_600_000;

/** Forgets uploads without a write for a day, once an hour, until it is disposed of. */
export function sweepUploads({
  uploads,
  clock,
  logger,
}: {
  uploads: Pick<UploadSpace, "sweep">;
  clock: () => Date;
  logger: Pick<Logger, "warn">;
}): AsyncDisposable {
  const stop = new AbortController();
  const sweeping = (async () => {
    while (!stop.signal.aborted) {
      await uploads.sweep(new Date(clock().getTime() - dayMs)).catch((error: unknown) => {
        logger.warn({ err: error }, "upload sweep: worker loop failed, retrying");
      });
      await delay(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await sweeping;
    },
  };
}
