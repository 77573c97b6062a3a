import { createHash } from "node:crypto";
import type { EventCause } from "@aiplatform/document-store";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { EntityError } from "../entity-error.ts";

/** Where a run or a step of it stands. */
export type RunStatus = "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";

export type RunEnd = Extract<RunStatus, "succeeded" | "failed" | "cancelled">;

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
  /** Why it failed or was cancelled. */
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
export const maxOpenRuns = 100;
/** Runs of an organisation that may be under way when an event starts another; more than one of them waits its turn. */
export const maxOpenRunsForTriggers = 1_000;
/** Runs of an automation that are remembered. */
export const maxKeptRuns = 1_000;
/** How long a run is remembered after its end, s. */
export const retentionSeconds: number = 90 * 24 * 3600;
/** How long a run may take, ms. */
export const maxRunMs: number = 30 * 24 * 3600 * 1000;
/** Bytes of what a run is started with at most, as JSON. */
export const maxInputBytes: number = 64 * 1024;

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

export class AutomationRunNotFoundError extends NotFoundError {
  override name = "AutomationRunNotFoundError";
}

export class NothingPublishedError extends EntityError {
  override name = "NothingPublishedError";
  constructor(automationId: string) {
    super(automationId, "The automation has no published version to run");
  }
}

export class AutomationRunLimitError extends Error {
  override name = "AutomationRunLimitError";
  constructor() {
    super(`${maxOpenRuns} runs of the organisation are under way: the limit is reached`);
  }
}

export class AutomationDisabledError extends EntityError {
  override name = "AutomationDisabledError";
  constructor(automationId: string) {
    super(automationId, "The automation is disabled");
  }
}
/** A UUID that the same names always give. */
export function effectIdOf(...names: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(names)).digest();
  // RFC 9562: version 8, whose bits are the application's own.
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
