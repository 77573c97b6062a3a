export type GroupingStatus = "idle" | "queued" | "running" | "succeeded" | "failed";

/** What started a run of the platform's own rule. */
export type GroupingRunType = "auto" | "manual";

/** What caused a grouping. */
export type GroupingType = "proposal" | GroupingRunType;

/** A run that is queued or under way. */
export interface GroupingRun {
  id: string;
  type: GroupingRunType;
  /** How often it was started. */
  attempts: number;
  /** Holder of its lease; absent while no process executes it. */
  holder: string | undefined;
  /** When it is due; while it has a holder, the end of the lease. */
  dueAt: Date;
}

/** What an organisation has decided of workspaces, and what became of its last grouping. */
export interface WorkspaceSettings {
  organisationId: string;
  workspacesEnabled: boolean;
  autoGroupingEnabled: boolean;
  groupingStatus: GroupingStatus;
  lastGroupingRunType?: GroupingType | undefined;
  lastGroupingStartedAt?: Date | undefined;
  lastGroupingCompletedAt?: Date | undefined;
  lastGroupingError?: string | undefined;
  groupingAlgorithmVersion?: string | undefined;
  /** There exactly while the status is `queued` or `running`. */
  run?: GroupingRun | undefined;
  /** When to look for new assets, and to queue a run if there are some; absent: nothing is new. */
  autoDueAt?: Date | undefined;
  /** Looks since something was new; the one that is due is that number's recheck. Absent: none. */
  autoRechecks?: number | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** How long new assets are gathered before a run is queued for them, ms. */
export const autoDelayMs = 2_000;
/**
 * Pauses before each look after the first, ms. A transaction that began before a look may commit an asset after it. Nearly all
 * of them end within the first pause, and MongoDB ends every one within a minute.
 */
const recheckPausesMs: readonly number[] = [5_000, 65_000];
/** Starts of one run: enough to outlast the minute for which the database keeps a dead process's transaction. */
const maxAttempts = 20;

/** Allowed transitions of a run. An accepted proposal is no run: it puts `succeeded` in place of any status. */
const groupingTransitions: Readonly<Record<GroupingStatus, readonly GroupingStatus[]>> = {
  idle: ["queued"],
  queued: ["running"],
  // To itself when another process claims it again.
  running: ["running", "succeeded", "failed"],
  succeeded: ["queued"],
  failed: ["queued"],
};

export class GroupingTransitionError extends Error {
  override name = "GroupingTransitionError";
  readonly from: GroupingStatus;
  readonly to: GroupingStatus;
  constructor(from: GroupingStatus, to: GroupingStatus) {
    super(`grouping cannot go from ${from} to ${to}`);
    this.from = from;
    this.to = to;
  }
}

export class WorkspacesDisabledError extends Error {
  override name = "WorkspacesDisabledError";
  constructor() {
    super("Workspaces are not enabled");
  }
}

/** The settings of an organisation that has changed none. */
export function initialSettings(organisationId: string, createdAt: Date): WorkspaceSettings {
  const off = { workspacesEnabled: false, autoGroupingEnabled: false };
  return { organisationId, ...off, groupingStatus: "idle", createdAt, updatedAt: createdAt };
}

/** The settings changed as wanted; the same object when nothing differs. */
export function withChanges(
  settings: WorkspaceSettings,
  wanted: { workspacesEnabled?: boolean | undefined; autoGroupingEnabled?: boolean | undefined },
  time: Date,
): WorkspaceSettings {
  const workspacesEnabled = wanted.workspacesEnabled ?? settings.workspacesEnabled;
  const autoGroupingEnabled = wanted.autoGroupingEnabled ?? settings.autoGroupingEnabled;
  const isSame =
    workspacesEnabled === settings.workspacesEnabled && autoGroupingEnabled === settings.autoGroupingEnabled;
  if (isSame) return settings;
  // Switched on just now: what waits already counts as new.
  const autoDueAt = workspacesEnabled && autoGroupingEnabled ? time : undefined;
  return { ...settings, workspacesEnabled, autoGroupingEnabled, autoDueAt, autoRechecks: undefined, updatedAt: time };
}

/** A proposal was accepted. Its workspaces count as grouped at this moment; a run that was queued or under way is dropped. */
export function withProposal(settings: WorkspaceSettings, algorithmVersion: string, time: Date): WorkspaceSettings {
  // Neither a run that is dropped nor what waits for workspaces to be enabled may be forgotten.
  const isWanted = settings.run !== undefined || !settings.workspacesEnabled;
  return {
    ...settings,
    groupingStatus: "succeeded",
    workspacesEnabled: true,
    lastGroupingRunType: "proposal",
    lastGroupingStartedAt: time,
    lastGroupingCompletedAt: time,
    lastGroupingError: undefined,
    groupingAlgorithmVersion: algorithmVersion,
    run: undefined,
    updatedAt: time,
    ...(isWanted && settings.autoGroupingEnabled
      ? { autoDueAt: new Date(time.getTime() + autoDelayMs), autoRechecks: undefined }
      : {}),
  };
}

/** New assets were looked for. The next look is for those of transactions that were under way meanwhile. */
export function withLook(settings: WorkspaceSettings, time: Date): WorkspaceSettings {
  const { workspacesEnabled, autoGroupingEnabled, autoRechecks = 0 } = settings;
  const pauseMs = workspacesEnabled && autoGroupingEnabled ? recheckPausesMs[autoRechecks] : undefined;
  if (pauseMs === undefined) return { ...settings, autoDueAt: undefined, autoRechecks: undefined };
  return { ...settings, autoDueAt: new Date(time.getTime() + pauseMs), autoRechecks: autoRechecks + 1 };
}

/** A run was queued. It groups everything that is new by its start. @throws GroupingTransitionError */
export function withQueued(
  settings: WorkspaceSettings,
  { id, type }: Pick<GroupingRun, "id" | "type">,
  time: Date,
): WorkspaceSettings {
  const run = { id, type, attempts: 0, holder: undefined, dueAt: time };
  // A run that was asked for does the work of the first look, and postpones no recheck.
  const looked = type === "manual" && settings.autoRechecks ? settings : withLook(settings, time);
  return { ...withStatus(looked, "queued", time), run };
}

/** Whether the run has used all its attempts. */
export function isExhausted({ run }: WorkspaceSettings): boolean {
  return (run?.attempts ?? 0) >= maxAttempts;
}

/** The run was started. @throws GroupingTransitionError */
export function withStarted(settings: WorkspaceSettings, algorithmVersion: string, time: Date): WorkspaceSettings {
  const moved = withStatus(settings, "running", time);
  const run = settings.run;
  if (!run) throw new GroupingTransitionError(settings.groupingStatus, "running");
  return {
    ...moved,
    lastGroupingRunType: run.type,
    lastGroupingStartedAt: time,
    lastGroupingCompletedAt: undefined,
    lastGroupingError: undefined,
    groupingAlgorithmVersion: algorithmVersion,
    run: { ...run, attempts: run.attempts + 1 },
  };
}

/** The run has ended; with an error it has failed. @throws GroupingTransitionError */
export function withEnded(settings: WorkspaceSettings, error: string | undefined, time: Date): WorkspaceSettings {
  return {
    ...withStatus(settings, error === undefined ? "succeeded" : "failed", time),
    lastGroupingCompletedAt: time,
    lastGroupingError: error,
    run: undefined,
  };
}

function withStatus(settings: WorkspaceSettings, to: GroupingStatus, time: Date): WorkspaceSettings {
  const from = settings.groupingStatus;
  if (!groupingTransitions[from].includes(to)) throw new GroupingTransitionError(from, to);
  return { ...settings, groupingStatus: to, updatedAt: time };
}
