import type { Step, Version } from "../automations/automation.ts";
import type { RunEnd, StepRun } from "./automation-run.ts";

/** What a run does next. */
export type RunTransition =
  | { kind: "start"; step: Step }
  /** A step that was begun, or waits. */
  | { kind: "resume"; step: Step; stepRun: StepRun }
  | { kind: "complete"; status: Extract<RunEnd, "succeeded" | "failed">; error?: string };

/** The word by which a step that failed goes on. */
const failedLabel = "failed";

/** What comes next in a run of the version, by what became of the steps so far. */
export function nextTransition(
  { steps, transitions }: Pick<Version, "steps" | "transitions">,
  runs: readonly StepRun[],
): RunTransition {
  const last = runs.at(-1);
  const stepOf = (id: string) => steps.find((step) => step.id === id);
  if (!last) return startOf(steps[0], "The version has no steps");
  const step = stepOf(last.stepId);
  if (!step) return { kind: "complete", status: "failed", error: "The version has changed" };
  if (last.status !== "succeeded" && last.status !== "failed") return { kind: "resume", step, stepRun: last };
  const leaving = transitions.filter(({ sourceStepId }) => sourceStepId === last.stepId);
  if (last.status === "failed") {
    const rescue = leaving.find(({ label }) => label === failedLabel);
    if (rescue) return startOf(stepOf(rescue.targetStepId), "The version has changed");
    return {
      kind: "complete",
      status: "failed",
      error: `Step ${JSON.stringify(last.key)}: ${last.error ?? "it failed"}`,
    };
  }
  const onward = leaving.filter(({ label }) => label !== failedLabel);
  const chosen = onward.find(({ label }) => label === last.label) ?? (onward.length === 1 ? onward[0] : undefined);
  if (chosen) return startOf(stepOf(chosen.targetStepId), "The version has changed");
  if (onward.length === 0) return { kind: "complete", status: "succeeded" };
  const error = `Step ${JSON.stringify(last.key)}: no transition has the label ${JSON.stringify(last.label ?? "")}`;
  return { kind: "complete", status: "failed", error };
}

/** The labels with which a step may end well. */
export function labelsOf({ transitions }: Pick<Version, "transitions">, stepId: string): string[] {
  const leaving = transitions.filter(({ sourceStepId }) => sourceStepId === stepId);
  return leaving.map(({ label }) => label).filter((label) => label !== failedLabel);
}

function startOf(step: Step | undefined, otherwise: string): RunTransition {
  return step ? { kind: "start", step } : { kind: "complete", status: "failed", error: otherwise };
}
