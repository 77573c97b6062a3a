import { describe, expect, it } from "vitest";
import type { AutomationStepRun } from "../../api/platform.ts";
import { isEnded, secondsOf, takenTransitions } from "./run-rules.ts";

describe("a run", () => {
  it.each([
    ["queued", false],
    ["running", false],
    ["waiting", false],
    ["succeeded", true],
    ["failed", true],
    ["cancelled", true],
  ] as const)("that is %s is over: %s", (status, over) => {
    expect(isEnded(status)).toBe(over);
  });

  it.each([
    [null, null, undefined],
    ["2026-03-02T09:00:00Z", "2026-03-02T09:01:30Z", 90],
    ["2026-03-02T09:00:00Z", null, 5],
  ])("took the seconds from its start to its end, or to now: %s to %s", (started, ended, seconds) => {
    expect(secondsOf({ started, ended }, Date.parse("2026-03-02T09:00:05Z"))).toBe(seconds);
  });
});

const stepRun = (step_id: string, label: string | null): AutomationStepRun => ({
  step_id,
  name: step_id,
  type: "prompt",
  status: "succeeded",
  label,
  output: null,
  error: null,
  attempts: 1,
  started_at: null,
  ended_at: null,
});

describe("the transitions that a run took", () => {
  const transitions = [
    { id: "a-b yes", source_step_id: "a", target_step_id: "b", label: "yes" },
    { id: "a-b no", source_step_id: "a", target_step_id: "b", label: "no" },
    { id: "a-c failed", source_step_id: "a", target_step_id: "c", label: "failed" },
    { id: "b-c always", source_step_id: "b", target_step_id: "c", label: "always" },
  ];

  it.each([
    ["none before its second step", [stepRun("a", null)], []],
    ["that with the label of the step", [stepRun("a", "no"), stepRun("b", null)], ["a-b no"]],
    ["the only one, whatever the label is", [stepRun("b", "completed"), stepRun("c", null)], ["b-c always"]],
    ["that of a failure", [stepRun("a", "failed"), stepRun("c", null)], ["a-c failed"]],
  ])("are %s", (_what, steps, taken) => {
    expect([...takenTransitions(transitions, steps)]).toEqual(taken);
  });
});
