import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { LifecyclePhase, PhaseStatus } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { PlatformLink } from "../link/platform-link.ts";
import type { Reporter } from "../reports/reporter.ts";
import { type Outcome, type PublishedArtifact, RefusedError, type StartingPoint, type Workload } from "../workload.ts";
import type { WaitingCommand } from "./command-queue.ts";
import type { JournalState, Standing } from "./journal.ts";

/** What applying a command works with. */
export interface ActionContext {
  workload: Workload;
  /** Publishes a checkpoint as the result, and stores that. */
  publish(checkpointId: string): Promise<PublishedArtifact>;
  link: PlatformLink;
  reporter: Reporter;
  /** As it was before the command. */
  before: Readonly<JournalState>;
  /** Takes one step of training and reports it. */
  step(): Promise<void>;
  /** Sends what was reported so far, if the platform can be reached now. */
  flush(): Promise<void>;
}

/** The effect of a command that is there: where the trainer stands now, and what to tell the platform. */
export interface Effect extends Standing {
  applied: NonNullable<Outcome["applied"]>;
  /** Where to go back to if the platform decided otherwise; the standing before the command, unless said. */
  undo?: Standing;
}

type Apply = (waiting: WaitingCommand, context: ActionContext) => Promise<Effect>;

const actions: Readonly<Record<Action, Apply>> = {
  [Action.UNSPECIFIED]: async () => {
    throw new RefusedError("this trainer does not know the action");
  },
  [Action.CONTINUE]: goOn,
  [Action.PAUSE]: pause,
  [Action.RESUME]: (waiting, context) => restore(waiting, context, "full"),
  [Action.ROLLBACK]: (waiting, context) => restore(waiting, context, "full"),
  [Action.WARM_RESTART]: (waiting, context) => restore(waiting, context, "weights"),
  [Action.FINISH_FROM_CHECKPOINT]: finish,
  [Action.ABORT]: abort,
};

/** Brings about what a command asks for. @throws RefusedError, with everything as it was. */
export function applyCommand(waiting: WaitingCommand, context: ActionContext): Promise<Effect> {
  if (waiting.epoch < context.before.epoch) {
    throw new RefusedError(`fencing epoch ${waiting.epoch} is older than ${context.before.epoch}`);
  }
  return actions[waiting.command.action](waiting, context);
}

async function goOn({ command }: WaitingCommand, { workload, reporter, before }: ActionContext): Promise<Effect> {
  const overrides = overridesOf(command.runtimeOverrides?.text);
  workload.check(overrides, { cold: false });
  const { status, position } = before;
  if (Object.keys(overrides).length === 0) return { status, position, applied: { detail: "nothing to release" } };
  reporter.hold({ opensSegment: false });
  if (workload.devices.length > 0) workload.change(overrides);
  const changes = [...position.changes, { step: workload.step, overrides }];
  return { status, position: { ...position, changes }, applied: {} };
}

async function pause(_: WaitingCommand, context: ActionContext): Promise<Effect> {
  const { workload, reporter, link, before } = context;
  if (before.status === "paused") {
    const { checkpointId } = before.position;
    return { ...before, applied: { detail: "already paused", ...(checkpointId ? { checkpointId } : {}) } };
  }
  if (workload.devices.length === 0) throw new RefusedError(`nothing is trained: the trainer has ${before.status}`);
  await link.reportState(JobState.PAUSING);
  reporter.phase(LifecyclePhase.CHECKPOINTING, PhaseStatus.RUNNING);
  const checkpoint = await workload.save({ segmentIndex: before.segment, metrics: {}, pinned: pinnedBy(before) });
  reporter.phase(LifecyclePhase.CHECKPOINTING, PhaseStatus.COMPLETED);
  reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.PAUSED);
  await context.flush();
  const detail = await workload.release();
  reporter.log(`paused at step ${checkpoint.step}: ${detail}`);
  const position = { checkpointId: checkpoint.id, restore: "full" as const, overrides: {}, changes: [] };
  const applied = { checkpointId: checkpoint.id, checkpoint, detail };
  return { status: "paused", position, applied, undo: { status: before.status, position } };
}

async function restore(
  waiting: WaitingCommand,
  context: ActionContext,
  mode: StartingPoint["restore"],
): Promise<Effect> {
  const { workload, reporter, link, before } = context;
  const overrides = overridesOf(waiting.command.runtimeOverrides?.text);
  workload.check(overrides, { cold: mode === "weights" });
  const checkpointId = checkpointOf(waiting, context);
  await context.flush();
  await link.reportState(JobState.RESTORING);
  await workload.prepare({ checkpointId, restore: mode, overrides });
  const startStep = workload.step;
  reporter.log(
    `training from checkpoint ${checkpointId}, step ${startStep}, ${mode === "full" ? "whole state" : "weights only"}`,
  );
  reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.RUNNING);
  reporter.hold({ opensSegment: true });
  await context.step();
  const position = { checkpointId, restore: mode, overrides, changes: [] };
  return { status: "running", position, applied: { checkpointId, startStep }, undo: standingOf(before) };
}

async function finish(waiting: WaitingCommand, context: ActionContext): Promise<Effect> {
  const { reporter, link, before } = context;
  const checkpointId = checkpointOf(waiting, context);
  await context.flush();
  await link.reportState(JobState.FINISHING);
  reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.COMPLETED);
  reporter.phase(LifecyclePhase.FINALIZING, PhaseStatus.RUNNING);
  const artifact = await context.publish(checkpointId);
  reporter.phase(LifecyclePhase.FINALIZING, PhaseStatus.COMPLETED);
  await context.flush();
  return {
    status: "ended",
    position: before.position,
    applied: { checkpointId, artifact, detail: `published ${artifact.uri}` },
  };
}

async function abort(_: WaitingCommand, context: ActionContext): Promise<Effect> {
  const { workload, reporter, link, before } = context;
  await link.reportState(JobState.ABORTING);
  reporter.log(`aborted at step ${workload.step}; checkpoints are kept`);
  await context.flush();
  return { status: "ended", position: before.position, applied: { detail: `stopped at step ${workload.step}` } };
}

/** Checkpoints that must not be deleted, whatever their age. */
export function pinnedBy({ position, undo }: Pick<JournalState, "position" | "undo">): string[] {
  return [position.checkpointId, undo?.position.checkpointId].filter((id) => id !== null && id !== undefined);
}

export function standingOf({ status, position }: Standing): Standing {
  return { status, position };
}

function checkpointOf({ command, checkpointId }: WaitingCommand, { workload, before }: ActionContext): string {
  const byDefault = command.action === Action.RESUME ? before.position.checkpointId : null;
  const id = checkpointId ?? command.checkpointId ?? byDefault;
  if (!id) throw new RefusedError("no checkpoint");
  if (!workload.checkpoints().some((kept) => kept.id === id)) {
    throw new RefusedError(`checkpoint ${id} is no longer kept by this trainer`);
  }
  return id;
}

/** A start from nothing may change whatever a warm restart may. @throws RefusedError as `overridesOf` does */
export function startUnder(text: string | undefined): Partial<StartingPoint> {
  const overrides = overridesOf(text);
  return Object.keys(overrides).length > 0 ? { overrides, restore: "weights" } : {};
}

/** @throws RefusedError unless the text is that of an object, or empty */
function overridesOf(text: string | undefined): object {
  const overrides: unknown = JSON.parse(text || "{}");
  if (typeof overrides !== "object" || overrides === null) throw new RefusedError("runtime_overrides is not an object");
  return overrides;
}
