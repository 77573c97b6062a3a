import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import { type QueueDependencies, queueRun } from "./start-grouping.ts";
import { type WorkspaceSettings, withLook } from "./workspace-settings.ts";

/** Pause between two looks, ms, and while nothing is due: less than what has just arrived waits. */
const pauseMs = 1_000;
const maxPauseMs = 4_000;
/** Organisations per look. */
const batch = 10;

type SweepDependencies = QueueDependencies &
  Pick<IdentityDependencies, "assets" | "transaction"> & { logger: WorkerPlatform["logger"] };

/** Queues a run where new assets are to be grouped without a request. Every replica looks; the database lets one queue it. */
export function startGroupingSweep(platform: WorkerPlatform, dependencies: SweepDependencies): Worker {
  let hasDue = false;
  const round = async (signal: AbortSignal) => {
    const found = await sweep(dependencies, signal);
    hasDue = found.hasDue;
    const { nextAt } = found;
    if (nextAt) worker.wakeWithin(nextAt.getTime() - dependencies.clock().getTime());
  };
  const pauses = { pauseMs, maxPauseMs, isIdle: () => !hasDue };
  const worker = startWorker(platform, { name: "automatic-grouping", ...pauses, round });
  return worker;
}

/** Answers whether something was due, and when something will be, as far as one look tells it. */
async function sweep(
  dependencies: SweepDependencies,
  signal: AbortSignal,
): Promise<{ hasDue: boolean; nextAt?: Date | undefined }> {
  const { workspaceSettings, clock, logger } = dependencies;
  const first = await workspaceSettings.firstDueOrganisations(batch);
  if (signal.aborted) return { hasDue: false };
  const now = clock();
  const due = first.filter(({ dueAt }) => dueAt <= now).map(({ organisationId }) => organisationId);
  // Beside each other: what holds one organisation up is nothing to the others.
  const outcomes = await Promise.allSettled(due.map((organisationId) => queueDue(dependencies, organisationId)));
  for (const outcome of outcomes) {
    if (outcome.status === "rejected")
      logger.warn({ err: outcome.reason }, "grouping failed, retrying in the next round");
  }
  return { hasDue: due.length > 0, nextAt: first.find(({ dueAt }) => dueAt > now)?.dueAt };
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
