import type { AutomationRun, AutomationStepRun, AutomationVersion } from "../../api/platform.ts";

const ended: ReadonlySet<AutomationRun["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/** Whether a run or a step is over. */
export function isEnded(status: AutomationRun["status"]): boolean {
  return ended.has(status);
}

/** Seconds from a start to an end, or until now; undefined before the start. */
export function secondsOf(
  { started, ended: end }: { started: string | null; ended: string | null },
  now: number,
): number | undefined {
  if (started === null) return undefined;
  return ((end === null ? now : Date.parse(end)) - Date.parse(started)) / 1000;
}

/** Ids of the transitions that a run took: those between steps that it began one after the other. */
export function takenTransitions(
  transitions: AutomationVersion["step_transitions"],
  steps: readonly AutomationStepRun[],
): ReadonlySet<string> {
  const taken = new Set<string>();
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    const between = transitions.filter(
      ({ source_step_id, target_step_id }) => source_step_id === step.step_id && target_step_id === next?.step_id,
    );
    // The label decides; a step with one way on takes it whatever its label is.
    const one = between.find(({ label }) => label === step.label) ?? between[0];
    if (one) taken.add(one.id);
  });
  return taken;
}
