import type { RunConfig } from "../deployment-versions/run-config.ts";

/** How many instances a version is to have, and since when it has not needed as many. */
export interface VersionScale {
  count: number;
  /** When so many were last needed, or when there came to be so many. */
  neededAt: Date;
}

/** What of its use decides how many instances a version needs. */
export interface VersionUse {
  /** Predictions under way in all its instances. */
  inFlight: number;
  /** When one of them last began or ended a prediction. */
  lastUsedAt: Date | undefined;
  /** When a prediction last asked for an instance where none ran. */
  wakeRequestedAt: Date | undefined;
}

/** After how long an instance beyond the first ends where `idle_seconds` says nothing, ms. */
const surplusMs = 60_000;

type ScaleConfig = Pick<RunConfig, "minInstances" | "maxInstances" | "idleSeconds" | "concurrency">;

/** Instances that a version keeps without any use: none only where it says both that it may and after how long. */
export function idleInstances({ minInstances, idleSeconds }: ScaleConfig): number {
  return minInstances === 0 && idleSeconds > 0 ? 0 : Math.max(1, minInstances);
}

/** Where counting begins when nothing is known of it: with what there was before. */
export function firstScale(config: ScaleConfig, had: number, now: Date): VersionScale {
  const max = Math.max(config.maxInstances, 1);
  return { count: Math.min(max, Math.max(idleInstances(config), had)), neededAt: now };
}

/** How many instances a version is to have now. Grows at once, and falls one at a time after having been idle. */
export function scale(before: VersionScale, use: VersionUse, config: ScaleConfig, now: Date): VersionScale {
  const min = idleInstances(config);
  const max = Math.max(config.maxInstances, min, 1);
  const idleMs = config.idleSeconds > 0 ? config.idleSeconds * 1_000 : surplusMs;
  const isAsleep = before.count === 0;
  const isWakeRequested = within(use.wakeRequestedAt, idleMs, now);
  // Instances that are full are one too few; a sleeping version has none that could be.
  const needed =
    use.inFlight > 0 ? Math.floor(use.inFlight / config.concurrency) + 1 : Number(isAsleep && isWakeRequested);
  if (needed >= before.count && !(isAsleep && needed === 0)) return { count: bounded(needed, min, max), neededAt: now };
  const isInUse =
    within(before.neededAt, idleMs, now) ||
    (before.count === 1 && (isWakeRequested || within(use.lastUsedAt, idleMs, now)));
  if (isInUse) return { ...before, count: bounded(before.count, min, max) };
  const count = bounded(before.count - 1, min, max);
  return { count, neededAt: count === before.count ? before.neededAt : now };
}

function within(time: Date | undefined, ms: number, now: Date): boolean {
  return time !== undefined && now.getTime() - time.getTime() < ms;
}

function bounded(count: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, count));
}
