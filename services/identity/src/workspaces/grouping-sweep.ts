import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import { type QueueDependencies, queueRun } from "./start-grouping.ts";
import { type WorkspaceSettings, withLook } from "./workspace-settings.ts";

/** Pause between two looks, ms, and while they find nothing. */
const pauseMs = 1_000;
const maxPauseMs = 2_000;
/** Organisations per look. */
const batch = 10;

type SweepDependencies = QueueDependencies &
  Pick<IdentityDependencies, "assets" | "transaction"> & { logger: WorkerPlatform["logger"] };

/** Queues a run where new assets are to be grouped without a request. Every replica looks; the database lets one queue it. */
export function startGroupingSweep(platform: WorkerPlatform, dependencies: SweepDependencies): Worker {
  const round = (signal: AbortSignal) => sweep(dependencies, signal);
  return startWorker(platform, { name: "automatic-grouping", pauseMs, maxPauseMs, round });
}

async function sweep(dependencies: SweepDependencies, signal: AbortSignal): Promise<void> {
  const { workspaceSettings, clock, logger } = dependencies;
  const due = await workspaceSettings.findDueOrganisations(clock(), batch);
  if (signal.aborted) return;
  // Beside each other: what holds one organisation up is nothing to the others.
  const outcomes = await Promise.allSettled(due.map((organisationId) => queueDue(dependencies, organisationId)));
  for (const outcome of outcomes) {
    if (outcome.status === "rejected")
      logger.warn({ err: outcome.reason }, "grouping failed, retrying in the next round");
  }
}

/** Queues a run for what is new, if there is something to group. */
async function queueDue(dependencies: SweepDependencies, organisationId: string): Promise<void> {
  const { assets, workspaceSettings, transaction, clock } = dependencies;
  await transaction(async (session) => {
    const settings = await workspaceSettings.find(organisationId, session);
    const time = clock();
    if (!isDue(settings, time)) return;
    const [ungrouped] = await assets.ungrouped(organisationId, 1, session);
    if (ungrouped) await queueRun(dependencies, { settings, type: "auto" }, session);
    else await workspaceSettings.save(organisationId, withLook(settings, time), session);
  });
}

/** While a run is queued or under way the next one waits for its end. */
function isDue(settings: WorkspaceSettings | undefined, time: Date): settings is WorkspaceSettings {
  const dueAt = settings?.autoDueAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return settings !== undefined && settings.run === undefined && dueAt <= time.getTime();
}
