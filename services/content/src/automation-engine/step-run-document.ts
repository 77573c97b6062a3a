import type { RunStatus, StepRun } from "./automation-run.ts";

/** What became of a step, as it is kept with its run. */
export interface StepRunDocument {
  step_id: string;
  key: string;
  name: string;
  type: string;
  status: RunStatus;
  label: string | null;
  output: string | null;
  error: string | null;
  attempts: number;
  state: string | null;
  started_at: Date;
  ended_at: Date | null;
}

export function toStepRunDocument(step: StepRun): StepRunDocument {
  return {
    step_id: step.stepId,
    key: step.key,
    name: step.name,
    type: step.type,
    status: step.status,
    label: step.label ?? null,
    output: step.output ?? null,
    error: step.error ?? null,
    attempts: step.attempts,
    state: step.state ?? null,
    started_at: step.startedAt,
    ended_at: step.endedAt ?? null,
  };
}

export function toStepRun(document: StepRunDocument): StepRun {
  return {
    stepId: document.step_id,
    key: document.key,
    name: document.name,
    type: document.type,
    status: document.status,
    label: document.label ?? undefined,
    output: document.output ?? undefined,
    error: document.error ?? undefined,
    attempts: document.attempts,
    state: document.state ?? undefined,
    startedAt: document.started_at,
    endedAt: document.ended_at ?? undefined,
  };
}
