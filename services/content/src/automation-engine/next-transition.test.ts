import { describe, expect, it } from "vitest";
import type { Step, Version } from "../automations/automation.ts";
import type { RunStatus, StepRun } from "./automation-run.ts";
import { labelsOf, nextTransition } from "./next-transition.ts";

const time = new Date(0);
const step = (id: string): Step => {
  return { id, key: id, name: id, promptTemplate: "{}", featureKeys: [], createdAt: time, updatedAt: time };
};
const version = (...ways: [string, string, string][]): Pick<Version, "steps" | "transitions"> => ({
  steps: ["a", "b", "c"].map(step),
  transitions: ways.map(([sourceStepId, label, targetStepId]) => {
    return { id: `${sourceStepId}${label}`, sourceStepId, label, targetStepId };
  }),
});
const ran = (stepId: string, status: RunStatus, more: Partial<StepRun> = {}): StepRun => ({
  ...{ stepId, key: stepId, name: stepId, type: "prompt", status, attempts: 1, startedAt: time, endedAt: undefined },
  ...{ label: undefined, output: undefined, error: undefined, state: undefined },
  ...more,
});

const chain = version(["a", "ok", "b"]);
const fork = version(["a", "odd", "b"], ["a", "even", "c"]);
const repaired = version(["a", "ok", "b"], ["a", "failed", "c"]);
const onlyMended = version(["a", "failed", "c"]);

describe("a run", () => {
  it.each<[string, ReturnType<typeof version>, StepRun[], object]>([
    ["begins with the first step", chain, [], { kind: "start", step: { id: "a" } }],
    ["goes on with a step under way", chain, [ran("a", "running")], { kind: "resume", step: { id: "a" } }],
    ["goes on with a step that waits", chain, [ran("a", "waiting")], { kind: "resume", step: { id: "a" } }],
    ["takes the only transition", chain, [ran("a", "succeeded")], { kind: "start", step: { id: "b" } }],
    [
      "takes the only transition, whatever the label",
      chain,
      [ran("a", "succeeded", { label: "x" })],
      { kind: "start", step: { id: "b" } },
    ],
    [
      "takes the transition of the label",
      fork,
      [ran("a", "succeeded", { label: "even" })],
      { kind: "start", step: { id: "c" } },
    ],
    [
      "fails where no transition has the label",
      fork,
      [ran("a", "succeeded", { label: "x" })],
      { kind: "complete", status: "failed", error: 'Step "a": no transition has the label "x"' },
    ],
    ["succeeds where no transition leaves", chain, [ran("b", "succeeded")], { kind: "complete", status: "succeeded" }],
    [
      "fails with a step that failed",
      chain,
      [ran("a", "failed", { error: "why" })],
      { kind: "complete", status: "failed", error: 'Step "a": why' },
    ],
    ["goes on by `failed` after a failure", repaired, [ran("a", "failed")], { kind: "start", step: { id: "c" } }],
    ["leaves `failed` aside after a success", repaired, [ran("a", "succeeded")], { kind: "start", step: { id: "b" } }],
    [
      "succeeds where `failed` alone leaves",
      onlyMended,
      [ran("a", "succeeded")],
      { kind: "complete", status: "succeeded" },
    ],
    [
      "looks at the last step",
      chain,
      [ran("a", "failed"), ran("b", "succeeded")],
      { kind: "complete", status: "succeeded" },
    ],
    ["fails where its step is gone", chain, [ran("z", "running")], { kind: "complete", status: "failed" }],
  ])("%s", (_, of, runs, expected) => {
    expect(nextTransition(of, runs)).toMatchObject(expected);
  });

  it("knows the labels with which a step may end well", () => {
    expect(labelsOf(repaired, "a")).toEqual(["ok"]);
    expect(labelsOf(fork, "a")).toEqual(["odd", "even"]);
    expect(labelsOf(fork, "b")).toEqual([]);
  });
});
