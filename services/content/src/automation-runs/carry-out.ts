import type { EventCause } from "@aiplatform/document-store";
import type { Automation, Step, Version } from "../automations/automation.ts";
import { isStepType, stepKind } from "../automations/step-kinds.ts";
import { parseJsonObject } from "../json-object.ts";
import type { AutomationRun, StepRun } from "./automation-run.ts";
import { labelsOf } from "./next-move.ts";
import { scopeFacts } from "./scope.ts";
import { effectIdOf, type StepDependencies, StepFailedError, type StepOutcome } from "./step.ts";
import { stepWorks } from "./steps/step-works.ts";

/** A step that is to be carried out now. */
export interface StepAtWork {
  automation: Automation;
  version: Version;
  run: AutomationRun;
  step: Step;
  stepRun: StepRun;
  cause: EventCause;
  signal: AbortSignal;
}

/** Fills in the step's templates and does what it says. Throws StepFailedError, and whatever the work throws. */
export async function carryOut(dependencies: StepDependencies, at: StepAtWork): Promise<StepOutcome> {
  const { automation, version, run, step, stepRun, cause, signal } = at;
  const written = parseJsonObject(step.promptTemplate) ?? {};
  const { type } = written;
  if (!isStepType(type)) throw new StepFailedError("Unknown step type");
  const kind = stepKind(type);
  const { organisationId } = run;
  const { delegationId } = version;
  await dependencies.permits.assert({ organisationId, delegationId }, kind.permissions(written));
  const facts = await scopeFacts(dependencies, { automation, run, step });
  const unfilled = { members: written, rules: kind.members, facts };
  const members = await dependencies.tasks.run(organisationId, "fillStep", unfilled, { isBackground: true });
  const outcome = await stepWorks[type](dependencies, {
    organisationId,
    automationId: automation.id,
    automationName: automation.name,
    runId: run.id,
    versionId: version.id,
    delegationId,
    stepId: step.id,
    key: step.key,
    members,
    labels: labelsOf(version, step.id),
    effectId: effectIdOf(run.id, step.id),
    attempt: stepRun.attempts,
    state: stepRun.state === undefined ? undefined : parseJsonObject(stepRun.state),
    cause,
    signal,
  });
  signal.throwIfAborted();
  return outcome;
}
