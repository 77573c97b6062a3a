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
  isClaimable,
  isExhausted,
  type WorkspaceSettings,
  WorkspacesDisabledError,
  withEnded,
  withStarted,
} from "./workspace-settings.ts";
import type { DueRun } from "./workspace-settings-store.ts";

export type GroupingDependencies = Pick<
  IdentityDependencies,
  "assets" | "workspaces" | "memberships" | "workspaceSettings" | "outbox" | "transaction" | "clock" | "newId"
> & { logger: Logger };

/** The run was started too often by processes that never ended it. */
class GroupingExhaustedError extends Error {
  override name = "GroupingExhaustedError";
  constructor() {
    super("The run failed after several attempts");
  }
}

/** Failures whose text says what an administrator can do; others are in the log only. */
const reportedErrors = [WorkspacesDisabledError, WorkspaceLimitError, GroupingExhaustedError];

/**
 * Executes a claimable run: `running` is written first, then everything that it comes to, with `succeeded`, in
 * one transaction, or `failed` with the reason. A proposal, or another process that claims the run, may get ahead of
 * it: then it ends without any effect. While the database is away the run stays `running`, to be taken up again.
 */
export async function runGrouping(dependencies: GroupingDependencies, due: DueRun): Promise<void> {
  const { newId, logger } = dependencies;
  const claimed = { ...due, holder: newId() };
  try {
    if (await claim(dependencies, claimed)) await finish(dependencies, claimed);
  } catch (error) {
    if (isStoreUnavailable(error) || error instanceof TransactionConflictError) {
      logger.warn({ err: error, ...due }, "a run of grouping is left to be taken up again");
      return;
    }
    logger.warn({ err: error, ...due }, "a run of grouping failed");
    await fail(dependencies, claimed, error);
  }
}

interface ClaimedRun extends DueRun {
  holder: string;
}

/**
 * Claims the run; false when another process has it.
 * @throws WorkspacesDisabledError, GroupingExhaustedError
 */
async function claim(
  { workspaceSettings, transaction, clock }: GroupingDependencies,
  { organisationId, runId, holder }: ClaimedRun,
): Promise<boolean> {
  const settings = await transaction(async (session) => {
    const found = await workspaceSettings.find(organisationId, session);
    const time = clock();
    if (found?.run?.id !== runId || !isClaimable(found, time)) return undefined;
    const started = withStarted(found, { holder, algorithmVersion: groupingVersion }, time);
    await workspaceSettings.save(organisationId, started, session);
    return found;
  });
  if (!settings) return false;
  if (isExhausted(settings)) throw new GroupingExhaustedError();
  if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
  return true;
}

async function finish(dependencies: GroupingDependencies, claimed: ClaimedRun): Promise<void> {
  await dependencies.transaction(async (session) => {
    const settings = await ownSettings(dependencies, claimed, session);
    if (!settings) return;
    if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
    const workspaceIds = await placeUngrouped(dependencies, claimed.organisationId, session);
    await end(dependencies, { settings, workspaceIds, error: undefined }, session);
  });
}

async function fail(dependencies: GroupingDependencies, claimed: ClaimedRun, failure: unknown): Promise<void> {
  const isTold = reportedErrors.some((told) => failure instanceof told);
  const error = isTold && failure instanceof Error ? failure.message : "Internal error";
  await dependencies.transaction(async (session) => {
    const settings = await ownSettings(dependencies, claimed, session);
    if (settings) await end(dependencies, { settings, workspaceIds: [], error }, session);
  });
}

/** The settings, while the run in them is ours. */
async function ownSettings(
  { workspaceSettings }: GroupingDependencies,
  { organisationId, runId, holder }: ClaimedRun,
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
