import { describe, expect, it } from "vitest";
import type { AutomationVersionEntry } from "../../api/platform.ts";
import { versionDifference } from "./version-difference.ts";

const time = "2026-03-02T09:00:00Z";

function versionOf(
  texts: Readonly<Record<string, string>>,
  trigger: AutomationVersionEntry["trigger"] = null,
): AutomationVersionEntry {
  const times = { created_at: time, updated_at: time };
  const steps = Object.entries(texts).map(([id, text]) => ({
    ...{ id, name: id.toUpperCase(), prompt_template: { type: "prompt", text } },
    ...times,
  }));
  const [first, second] = steps;
  const step_transitions =
    first && second ? [{ id: "t", source_step_id: first.id, target_step_id: second.id, label: "always" }] : [];
  return {
    version: { id: "v", automation_id: "a", steps, step_transitions, ...times },
    status: "draft",
    feature_keys: [],
    variables: [],
    published_at: null,
    trigger,
    revision: 1,
    permission_ids: [],
    step_keys: steps.map(({ id }) => ({ step_id: id, key: id, feature_keys: [] })),
  };
}

describe("the difference of two versions", () => {
  it.each([
    ["nothing", { a: "1" }, { a: "1" }, []],
    ["a text", { a: "1", b: "2" }, { a: "1", b: "3" }, ["changed B"]],
    ["a new step", { a: "1" }, { a: "1", b: "2" }, ["added B"]],
    ["a step that is gone", { a: "1", b: "2" }, { a: "1" }, ["removed B"]],
  ])("names the steps that are not the same: %s", (_what, before, after, steps) => {
    const difference = versionDifference(versionOf(before), versionOf(after));
    expect(difference.steps.map(({ kind, name }) => `${kind} ${name}`)).toEqual(steps);
  });

  it("has every step of a first version as new", () => {
    const { steps, before } = versionDifference(undefined, versionOf({ a: "1" }));
    expect([steps.map(({ kind }) => kind), before]).toEqual([["added"], ""]);
  });

  it("has the order, the transitions and the trigger as lines", () => {
    const trigger = { event: "training.job.completed", when: "event.loss > 1", schedule: null };
    const { before, after } = versionDifference(versionOf({ a: "1" }), versionOf({ b: "1", a: "1" }, trigger));
    expect([before, after]).toEqual([
      "begins with A\nstarts on demand\n",
      "begins with B\nB – always → A\nstarts at training.job.completed\nwhen event.loss > 1\n",
    ]);
  });
});
