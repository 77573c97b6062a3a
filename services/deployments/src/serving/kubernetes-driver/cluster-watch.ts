import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import type { Logger } from "@aiplatform/service-host";
import type { VersionRef } from "../serving-driver.ts";
import type { Cluster, WatchedKind } from "./cluster.ts";
import { ownSelector, refOf } from "./version-names.ts";

const backoff: Backoff = { minMs: 500, maxMs: 15_000 };
/** A watch that lasted this long was well. */
const wellAfterMs = 15_000;

interface Dependencies {
  cluster: Pick<Cluster, "list" | "watch">;
  logger: Logger;
  changed: (ref: VersionRef) => void;
}

/**
 * Tells of versions whose Deployments or pods changed, until it is disposed of. A watch can fall silent without ending, and
 * may miss what happened while it was away: so every one begins with a look at all there is, and none lasts long.
 */
export function startClusterWatch(parts: Dependencies): AsyncDisposable {
  const stopping = new AbortController();
  const watching = (["deployments", "pods"] as const).map((kind) => watch(kind, parts, stopping.signal));
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all(watching);
    },
  };
}

async function watch(kind: WatchedKind, parts: Dependencies, signal: AbortSignal): Promise<void> {
  // Watches in a row that failed or were short. After one that was well the pause is the shortest.
  let failures = 0;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await watchOnce(kind, parts, signal);
      failures = performance.now() - began > wellAfterMs ? 1 : failures + 1;
    } catch (error) {
      parts.logger.warn({ err: error, kind }, "the cluster's changes cannot be watched for now");
      failures += 1;
    }
    await pause(backoffMs(backoff, failures), signal);
  }
}

async function watchOnce(kind: WatchedKind, { cluster, changed }: Dependencies, signal: AbortSignal): Promise<void> {
  const { items, resourceVersion } = await cluster.list(kind, ownSelector);
  const versions = new Map(items.map(refOf).flatMap((ref) => (ref ? [[ref.versionId, ref]] : [])));
  for (const ref of versions.values()) changed(ref);
  await cluster.watch(kind, { labelSelector: ownSelector, resourceVersion, signal }, (object) => {
    const ref = refOf(object);
    if (ref) changed(ref);
  });
}
