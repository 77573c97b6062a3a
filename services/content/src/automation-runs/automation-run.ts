import type { EventCause } from "@aiplatform/document-store";

/** Where a run or a step of it stands. */
export type RunStatus = "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";

/** How a run ends. */
export type RunEnd = Extract<RunStatus, "succeeded" | "failed" | "cancelled">;

/** What became of a step. */
export interface StepRun {
  stepId: string;
  key: string;
  name: string;
  type: string;
  status: RunStatus;
  /** The word with which it ended. */
  label: string | undefined;
  /** JSON text of what it made. */
  output: string | undefined;
  error: string | undefined;
  /** How often it was begun. */
  attempts: number;
  /** JSON text of what it keeps while it waits. */
  state: string | undefined;
  startedAt: Date;
  endedAt: Date | undefined;
}

/** A run of a published version. */
export interface AutomationRun {
  id: string;
  organisationId: string;
  automationId: string;
  versionId: string;
  status: RunStatus;
  /** `demand`, or the name of the event that started it. */
  startedBy: string;
  /** JSON text of what it was started with. */
  input: string;
  /** Why it failed or was given up. */
  error: string | undefined;
  /** In the order in which they were begun; none in lists. */
  steps: StepRun[];
  /** Who asked for it. Undefined: an event did. */
  cause: EventCause | undefined;
  createdAt: Date;
  endedAt: Date | undefined;
}

/** `startedBy` of a run that no event started. */
export const onDemand = "demand";

/** Runs of an organisation that may be under way when another is asked for. */
export const mostRuns = 100;
/** Runs of an organisation that may be under way when an event starts another; more than one of them waits its turn. */
export const mostTriggeredRuns = 1_000;
/** Runs of an automation that are remembered. */
export const mostRemembered = 1_000;
/** How long a run is remembered after its end, s. */
export const rememberedSeconds: number = 90 * 24 * 3600;
/** How long a run may take, ms. */
export const longestRunMs: number = 30 * 24 * 3600 * 1000;
/** Bytes of what a run is started with at most, as JSON. */
export const mostInputBytes: number = 64 * 1024;

/** How the cause of what an automation does begins, in the place of a credential. */
export const automationCredential = "automation:";

/** Who causes what a run does: the automation, for the member who asked for the run. The request that asked is over. */
export function causeOf({ automationId, cause }: Pick<AutomationRun, "automationId" | "cause">): EventCause {
  const asker = cause?.memberId === undefined ? {} : { memberId: cause.memberId };
  return { ...asker, credentialId: `${automationCredential}${automationId}` };
}

/** Whether nothing of the run is still to come. */
export function hasEnded({ status }: Pick<AutomationRun, "status">): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}

/** The run as it is once it ended so: a step that was under way has ended with it. */
export function endedRun(
  run: AutomationRun,
  end: { status: RunEnd; error?: string | undefined; time: Date },
): AutomationRun {
  const { status, error, time } = end;
  const steps = run.steps.map((step): StepRun => {
    const { status: before } = step;
    if (before !== "running" && before !== "waiting" && before !== "queued") return step;
    return {
      ...step,
      status: status === "cancelled" ? "cancelled" : "failed",
      error: error,
      state: undefined,
      endedAt: time,
    };
  });
  return { ...run, status, error, steps, endedAt: time };
}

/** There is no such run in the organisation. */
export class AutomationRunNotFoundError extends Error {
  override name = "AutomationRunNotFoundError";
  readonly runId: string;
  constructor(runId: string) {
    super("Not found");
    this.runId = runId;
  }
}

/** There is nothing to run. */
export class NothingPublishedError extends Error {
  override name = "NothingPublishedError";
  readonly automationId: string;
  constructor(automationId: string) {
    super("The automation has no published version to run");
    this.automationId = automationId;
  }
}

/** The automation does not run. */
export class AutomationDisabledError extends Error {
  override name = "AutomationDisabledError";
  readonly automationId: string;
  constructor(automationId: string) {
    super("The automation is disabled");
    this.automationId = automationId;
  }
}

/** As many runs of the organisation are under way as there may be. */
export class AutomationRunLimitError extends Error {
  override name = "AutomationRunLimitError";
  constructor() {
    super(`${mostRuns} runs of the organisation are under way: the limit is reached`);
  }
}
