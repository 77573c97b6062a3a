import {
  type ClientSession,
  type HeldLease,
  isStoreUnavailable,
  LeaseLostError,
  TransactionConflictError,
} from "@aiplatform/document-store";
import { ClaimingWorker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { IdentityDependencies } from "../dependencies.ts";
import { groupingVersion } from "./grouping.ts";
import { placeUngrouped } from "./place-ungrouped.ts";
import { WorkspaceLimitError } from "./workspace.ts";
import { workspaceGroupingFinished } from "./workspace-events.ts";
import {
  isExhausted,
  type WorkspaceSettings,
  WorkspacesDisabledError,
  withEnded,
  withStarted,
} from "./workspace-settings.ts";

type GroupingDependencies = Pick<
  IdentityDependencies,
  "assets" | "workspaces" | "memberships" | "workspaceSettings" | "outbox" | "transaction" | "clock" | "newId"
> &
  WorkerPlatform;

/** A renewal conflicts with a run's transaction: a third of the lease is longer than the longest run. */
const leaseMs = 30_000;
/** Runs that this process executes at once. */
const concurrency = 10;

/** The run was started too often by processes that never ended it. */
class GroupingExhaustedError extends Error {
  override name = "GroupingExhaustedError";
  constructor() {
    super("The run failed after several attempts");
  }
}

/** Failures whose text says what an administrator can do; others are in the log only. */
const reportedErrors = [WorkspacesDisabledError, WorkspaceLimitError, GroupingExhaustedError];

/** Executes queued runs, and those whose process is gone. */
export function startGroupingWorker(dependencies: GroupingDependencies): ClaimingWorker<WorkspaceSettings> {
  return new ClaimingWorker<WorkspaceSettings>(dependencies, {
    name: "workspace-grouping",
    ...{ leases: dependencies.workspaceSettings.leases, leaseMs, concurrency },
    run: (lease) => runGrouping(dependencies, lease),
  });
}

/**
 * Writes `running` first, then everything that the run comes to, with `succeeded`, in one transaction, or `failed` with the
 * reason. A proposal may get ahead of it: then it ends without any effect. While the database is away the run stays `running`.
 */
async function runGrouping(dependencies: GroupingDependencies, lease: HeldLease): Promise<void> {
  try {
    await start(dependencies, lease);
    await finish(dependencies, lease);
  } catch (error) {
    const isRepeated = error instanceof LeaseLostError || error instanceof TransactionConflictError;
    if (isRepeated || isStoreUnavailable(error)) throw error;
    dependencies.logger.warn({ err: error, organisationId: lease.organisationId }, "a run of grouping failed");
    await fail(dependencies, lease, error);
  }
}

/** @throws LeaseLostError, WorkspacesDisabledError, GroupingExhaustedError */
async function start(dependencies: GroupingDependencies, lease: HeldLease): Promise<void> {
  const { workspaceSettings, transaction, clock } = dependencies;
  const settings = await transaction(async (session) => {
    const found = await heldSettings(dependencies, lease, session);
    await workspaceSettings.save(lease.organisationId, withStarted(found, groupingVersion, clock()), session);
    return found;
  });
  if (isExhausted(settings)) throw new GroupingExhaustedError();
  if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
}

async function finish(dependencies: GroupingDependencies, lease: HeldLease): Promise<void> {
  await dependencies.transaction(async (session) => {
    const settings = await heldSettings(dependencies, lease, session);
    if (!settings.workspacesEnabled) throw new WorkspacesDisabledError();
    const workspaceIds = await placeUngrouped(dependencies, lease.organisationId, session);
    await end(dependencies, { settings, workspaceIds, error: undefined }, session);
  });
}

async function fail(dependencies: GroupingDependencies, lease: HeldLease, failure: unknown): Promise<void> {
  const isTold = reportedErrors.some((told) => failure instanceof told);
  const error = isTold && failure instanceof Error ? failure.message : "Internal error";
  await dependencies.transaction(async (session) => {
    const settings = await heldSettings(dependencies, lease, session);
    await end(dependencies, { settings, workspaceIds: [], error }, session);
  });
}

/** The settings, while the lease of the run in them is ours. @throws LeaseLostError */
async function heldSettings(
  { workspaceSettings }: GroupingDependencies,
  { organisationId, holder }: HeldLease,
  session: ClientSession,
): Promise<WorkspaceSettings> {
  const settings = await workspaceSettings.find(organisationId, session);
  if (settings?.run?.holder !== holder) throw new LeaseLostError();
  return settings;
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
