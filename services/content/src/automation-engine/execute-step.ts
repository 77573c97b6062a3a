import type { EventCause } from "@aiplatform/document-store";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { FieldRules } from "../automation-steps/step-fields.ts";
import type { StepServices } from "../automation-steps/step-handler.ts";
import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { StepFailedError, type StepOutcome } from "../automation-steps/step-outcome.ts";
import type { Automation, Step, Version } from "../automations/automation.ts";
import { type JsonRecord, parseJsonObject } from "../json-object.ts";
import { type AutomationRun, effectIdOf, onDemand, type StepRun } from "./automation-run.ts";
import { labelsOf } from "./next-transition.ts";
import { delegationOf, type StepAuthorizer } from "./step-authorizer.ts";
import { type ScopeFacts, type ScopeFeatures, scopeFacts } from "./step-scope.ts";

/** A step whose templates are to be filled in. */
export interface UnfilledStep {
  fields: JsonRecord;
  rules: FieldRules;
  facts: ScopeFacts;
}

export interface StepExecutionDependencies {
  authorizer: Pick<StepAuthorizer, "authorize" | "authorizeTrigger">;
  features: ScopeFeatures;
  tasks: TaskRunner<{ fillStep: (step: UnfilledStep) => JsonRecord }>;
  services: StepServices;
}

export interface StepExecution {
  automation: Automation;
  version: Version;
  run: AutomationRun;
  step: Step;
  stepRun: StepRun;
  cause: EventCause;
  signal: AbortSignal;
}

/** Fills in the step's templates and does what it says. @throws StepFailedError, and whatever its handler throws */
export async function executeStep(
  dependencies: StepExecutionDependencies,
  { automation, version, run, step, stepRun, cause, signal }: StepExecution,
): Promise<StepOutcome> {
  const { authorizer, tasks, services } = dependencies;
  const written = parseJsonObject(step.promptTemplate) ?? {};
  const { type } = written;
  if (!isStepType(type)) throw new StepFailedError("Unknown step type");
  const handler = stepHandlers[type];
  const { organisationId } = run;
  // The step's templates read what started the run.
  if (run.startedBy !== onDemand) await authorizer.authorizeTrigger(version, run.startedBy);
  await authorizer.authorize(version, handler.permissions(written));
  const facts = await scopeFacts(dependencies, { automation, run, step });
  const unfilled = { fields: written, rules: handler.fields, facts };
  const fields = await tasks.run(organisationId, "fillStep", unfilled, { isBackground: true });
  const outcome = await handler.execute(services, {
    organisationId,
    automationName: automation.name,
    delegation: delegationOf(version),
    fields,
    labels: labelsOf(version, step.id),
    effectId: effectIdOf(run.id, step.id),
    state: stepRun.state === undefined ? undefined : parseJsonObject(stepRun.state),
    cause,
    signal,
  });
  signal.throwIfAborted();
  return outcome;
}
