import { setTimeout as delay } from "node:timers/promises";
import type { IdentityDependencies } from "../dependencies.ts";
import { type GroupingDependencies, runGrouping } from "./run-grouping.ts";
import { queueRun } from "./start-grouping.ts";
import type { WorkspaceSettings } from "./workspace-settings.ts";

/** How long nobody looks, ms. */
const pauseMs = 1_000;
/** Organisations per look. */
const batch = 50;

/**
 * Looks every second for what no event brings: runs whose event is late or whose process is gone, and new assets that are to
 * be grouped by themselves. Every replica looks; what a replica takes up, the others leave.
 */
export function startGroupingSweep(
  dependencies: GroupingDependencies & Pick<IdentityDependencies, "organisations">,
): AsyncDisposable {
  const stop = new AbortController();
  const running = sweepUntil(dependencies, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function sweepUntil(
  dependencies: GroupingDependencies & Pick<IdentityDependencies, "organisations">,
  signal: AbortSignal,
): Promise<void> {
  const { logger } = dependencies;
  for (let failures = 0; !signal.aborted; ) {
    try {
      await sweep(dependencies, signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures % 60 === 1) logger.warn({ err: error }, "grouping cannot be looked after; trying on");
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function sweep(
  dependencies: GroupingDependencies & Pick<IdentityDependencies, "organisations">,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceSettings, clock } = dependencies;
  for (const organisationId of await workspaceSettings.due(clock(), batch)) {
    if (!signal.aborted) await queueDue(dependencies, organisationId);
  }
  for (const waiting of await workspaceSettings.waiting(clock(), batch)) {
    if (!signal.aborted) await runGrouping(dependencies, waiting);
  }
}

/** Queues a run for what is new, unless there is nothing to group any more. */
async function queueDue(
  dependencies: GroupingDependencies & Pick<IdentityDependencies, "organisations">,
  organisationId: string,
): Promise<void> {
  const { assets, workspaceSettings, transaction, clock } = dependencies;
  await transaction(async (session) => {
    const settings = await workspaceSettings.find(organisationId, session);
    if (!isDue(settings, clock())) return;
    const [ungrouped] = await assets.ungrouped(organisationId, 1, session);
    if (ungrouped) await queueRun(dependencies, { settings, type: "auto" }, session);
    else await workspaceSettings.save(organisationId, { ...settings, autoDueAt: undefined }, session);
  });
}

/** While a run is queued or under way the next one waits for its end. */
function isDue(settings: WorkspaceSettings | undefined, time: Date): settings is WorkspaceSettings {
  const dueAt = settings?.autoDueAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return settings !== undefined && settings.run === undefined && dueAt <= time.getTime();
}
