import {
  type AutomationRun as AutomationRunMessage,
  AutomationRunSchema,
  AutomationRunStatus,
  type AutomationStepRun,
  AutomationStepRunSchema,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import { StepType as StepTypeNumber } from "@aiplatform/contract/aiplatform/content/v1/step_templates";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isStepType, type StepType } from "../automation-steps/step-handlers/step-handlers.ts";
import type { AutomationRun, RunStatus, StepRun } from "./automation-run.ts";

/** Statuses of runs and of steps, as the contract has them. */
export const runStatuses: Readonly<Record<RunStatus, AutomationRunStatus>> = {
  queued: AutomationRunStatus.QUEUED,
  running: AutomationRunStatus.RUNNING,
  waiting: AutomationRunStatus.WAITING,
  succeeded: AutomationRunStatus.SUCCEEDED,
  failed: AutomationRunStatus.FAILED,
  cancelled: AutomationRunStatus.CANCELLED,
};

const stepTypes: Readonly<Record<StepType, StepTypeNumber>> = {
  prompt: StepTypeNumber.PROMPT,
  dictionary: StepTypeNumber.DICTIONARY,
  email: StepTypeNumber.EMAIL,
  train: StepTypeNumber.TRAIN,
  deploy: StepTypeNumber.DEPLOY,
  dataset: StepTypeNumber.DATASET,
  embed: StepTypeNumber.EMBED,
};

export function automationRunMessage(run: AutomationRun): AutomationRunMessage {
  const { id, automationId, versionId, startedBy, error, createdAt, endedAt } = run;
  return create(AutomationRunSchema, {
    ...{ id, automationId, versionId, startedBy },
    status: runStatuses[run.status],
    input: { text: run.input },
    ...(error === undefined ? {} : { error }),
    steps: run.steps.map(stepRunMessage),
    createdAt: timestampFromDate(createdAt),
    ...(endedAt ? { endedAt: timestampFromDate(endedAt) } : {}),
  });
}

function stepRunMessage(step: StepRun): AutomationStepRun {
  const { stepId, name, type, label, output, error, attempts, startedAt, endedAt } = step;
  return create(AutomationStepRunSchema, {
    ...{ stepId, name, type, attempts },
    stepType: isStepType(type) ? stepTypes[type] : StepTypeNumber.UNSPECIFIED,
    status: runStatuses[step.status],
    ...(label === undefined ? {} : { label }),
    ...(output === undefined ? {} : { output: { text: output } }),
    ...(error === undefined ? {} : { error }),
    startedAt: timestampFromDate(startedAt),
    ...(endedAt ? { endedAt: timestampFromDate(endedAt) } : {}),
  });
}
