import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@aiplatform/service-host";
import type { VersionRef } from "../serving-driver.ts";
import type { Cluster, WatchedKind } from "./cluster.ts";
import { ownSelector, refOf } from "./version-names.ts";

const firstPauseMs = 500;
const maxPauseMs = 15_000;

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
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await watchOnce(kind, parts, signal);
      pauseMs = performance.now() - began > maxPauseMs ? firstPauseMs : doubled(pauseMs);
    } catch (error) {
      parts.logger.warn({ err: error, kind }, "the cluster's changes cannot be watched for now");
      pauseMs = doubled(pauseMs);
    }
    await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
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

function doubled(ms: number): number {
  return Math.min(ms * 2, maxPauseMs);
}
