import {
  type ClientSession,
  isStoreUnavailable,
  type Logger,
  TransactionConflictError,
} from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { groupingVersion } from "./grouping.ts";
import { placeUngrouped } from "./place-ungrouped.ts";
import { WorkspaceLimitError } from "./workspace.ts";
import { workspaceGroupingFinished } from "./workspace-events.ts";
import {
  isExhausted,
  mayBegin,
  type WorkspaceSettings,
  WorkspacesDisabledError,
  withBegun,
  withEnded,
} from "./workspace-settings.ts";
import type { WaitingRun } from "./workspace-settings-store.ts";

/** What a run works with. */
export type GroupingDependencies = Pick<
  IdentityDependencies,
  "assets" | "workspaces" | "memberships" | "workspaceSettings" | "outbox" | "transaction" | "clock" | "newId"
> & { logger: Logger };

/** The run was begun too often by processes that never ended it. */
class GroupingExhaustedError extends Error {
  override name = "GroupingExhaustedError";
  constructor() {
    super("The run failed after several attempts");
  }
}

/** Failures whose text says what an administrator can do; of others the log tells. */
const toldFailures = [WorkspacesDisabledError, WorkspaceLimitError, GroupingExhaustedError];

/**
 * Does a run, if it is to be begun: `running` is written first, then everything that it comes to, with `succeeded`, in
 * one transaction, or `failed` with the reason. A proposal, or another process that takes the run up, may get ahead of
 * it: then it ends without any effect. While the database is away the run stays `running`, to be taken up again.
 */
export async function runGrouping(dependencies: GroupingDependencies, waiting: WaitingRun): Promise<void> {
  const { newId, logger } = dependencies;
  const held = { ...waiting, holder: newId() };
  try {
    if (await begin(dependencies, held)) await finish(dependencies, held);
  } catch (error) {
    if (isStoreUnavailable(error) || error instanceof TransactionConflictError) {
      logger.warn({ err: error, ...waiting }, "a run of grouping is left to be taken up again");
      return;
    }
    logger.warn({ err: error, ...waiting }, "a run of grouping failed");
    await fail(dependencies, held, error);
  }
}

interface HeldRun extends WaitingRun {
  holder: string;
}

/** Answers whether the run is ours. Throws WorkspacesDisabledError, GroupingExhaustedError when it cannot be done. */
async function begin(
  { workspaceSettings, transaction, clock }: GroupingDependencies,
  { organisationId, runId, holder }: HeldRun,
): Promise<boolean> {
  const settings = await transaction(async (session) => {
    const found = await workspaceSettings.find(organisationId, session);
    const time = clock();
    if (found?.run?.id !== runId || !mayBegin(found, time)) return undefined;
    const begun = withBegun(found, { holder, algorithmVersion: groupingVersion }, time);
    await workspaceSettings.save(organisationId, begun, session);
    return found;
  });
  if (!settings) return false;
  if (isExhausted(settings)) throw new GroupingExhaustedError();
  if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
  return true;
}

async function finish(dependencies: GroupingDependencies, held: HeldRun): Promise<void> {
  await dependencies.transaction(async (session) => {
    const settings = await ownSettings(dependencies, held, session);
    if (!settings) return;
    if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
    const workspaceIds = await placeUngrouped(dependencies, held.organisationId, session);
    await end(dependencies, { settings, workspaceIds, error: undefined }, session);
  });
}

async function fail(dependencies: GroupingDependencies, held: HeldRun, failure: unknown): Promise<void> {
  const isTold = toldFailures.some((told) => failure instanceof told);
  const error = isTold && failure instanceof Error ? failure.message : "Internal error";
  await dependencies.transaction(async (session) => {
    const settings = await ownSettings(dependencies, held, session);
    if (settings) await end(dependencies, { settings, workspaceIds: [], error }, session);
  });
}

/** The settings, while the run in them is ours. */
async function ownSettings(
  { workspaceSettings }: GroupingDependencies,
  { organisationId, runId, holder }: HeldRun,
  session: ClientSession,
): Promise<WorkspaceSettings | undefined> {
  const settings = await workspaceSettings.find(organisationId, session);
  return settings?.run?.id === runId && settings.run.holder === holder ? settings : undefined;
}

async function end(
  { workspaceSettings, outbox, clock }: GroupingDependencies,
  { settings, workspaceIds, error }: { settings: WorkspaceSettings; workspaceIds: string[]; error: string | undefined },
  session: ClientSession,
): Promise<void> {
  const { organisationId, run } = settings;
  const time = clock();
  const ended = withEnded(settings, error, time);
  await workspaceSettings.save(organisationId, ended, session);
  const finished = { organisationId, runId: run?.id ?? "", status: ended.groupingStatus, workspaceIds };
  await outbox.stage(session, workspaceGroupingFinished(finished, time));
}
