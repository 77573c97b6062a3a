import { describe, expect, it } from "vitest";
import type { AutomationVersionEntry } from "../../api/platform.ts";
import { draftForm, graphOfForm, newStep, problemsByField, readDraft } from "./draft-form.ts";

const time = "2026-03-02T09:00:00Z";
const times = { created_at: time, updated_at: time };
const entry: AutomationVersionEntry = {
  version: {
    id: "v",
    automation_id: "a",
    steps: [
      { id: "1", name: "Explain", prompt_template: { type: "prompt", text: "Why {{ features.delay }}?" }, ...times },
      { id: "2", name: "Shorten", prompt_template: { type: "prompt", text: "Shorter" }, ...times },
    ],
    step_transitions: [{ id: "t", source_step_id: "1", target_step_id: "2", label: "always" }],
    ...times,
  },
  status: "draft",
  feature_keys: ["delay", "region"],
  variables: [],
  published_at: null,
  trigger: { event: "training.job.completed", when: "", schedule: null },
  revision: 3,
  permission_ids: [],
  step_keys: [
    { step_id: "1", key: "explain", feature_keys: ["delay", "region"] },
    { step_id: "2", key: "shorten", feature_keys: [] },
  ],
};

describe("the form of a draft", () => {
  it("is written again as it was read", () => {
    expect(readDraft(draftForm(entry, () => "new"))).toEqual({
      body: {
        steps: [
          {
            key: "explain",
            name: "Explain",
            prompt_template: { type: "prompt", text: "Why {{ features.delay }}?" },
            feature_keys: ["region"],
          },
          { key: "shorten", name: "Shorten", prompt_template: { type: "prompt", text: "Shorter" }, feature_keys: [] },
        ],
        step_transitions: [{ source: "explain", target: "shorten", label: "always" }],
        trigger: { event: "training.job.completed", when: "", schedule: null },
      },
    });
  });

  it("has the schedule that starts it, and none with another event", () => {
    const schedule = { cron: "30 6 * * *", time_zone: "Europe/Berlin", missed: "catch_up" } as const;
    const trigger = { event: "schedule", when: "", schedule };
    const form = draftForm({ ...entry, trigger }, () => "new");
    expect(readDraft(form)).toMatchObject({ body: { trigger } });
    expect(readDraft({ ...form, event: "training.job.completed" })).toMatchObject({
      body: { trigger: { schedule: null } },
    });
  });

  it("begins with one step where there is no version", () => {
    const form = draftForm(undefined, () => "new");
    expect([form.steps.map(({ key }) => key), form.transitions, form.event]).toEqual([["prompt"], [], ""]);
  });

  it.each(["{", "[]", "null", '"text"'])("says where a template is no JSON object: %s", (template) => {
    const form = draftForm(entry, () => "new");
    const [first, ...others] = form.steps;
    if (!first) throw new Error("the form has no step");
    const read = readDraft({ ...form, steps: [{ ...first, template }, ...others] });
    expect("problems" in read && [...read.problems.keys()]).toEqual(["steps.0.prompt_template"]);
  });

  it("gives a new step a key that is free", () => {
    const steps = [newStep("prompt", [], "1")];
    const next = newStep("prompt", steps, "2");
    expect([next.key, newStep("prompt", [...steps, next], "3").key, newStep("email", steps, "4").key]).toEqual([
      "prompt-2",
      "prompt-3",
      "email",
    ]);
  });

  it("is a graph of its steps, in which an unknown key leads nowhere", () => {
    const form = draftForm(entry, () => "new");
    const odd = {
      ...form,
      transitions: [...form.transitions, { id: "x", source: "explain", target: "gone", label: "y" }],
    };
    expect(graphOfForm(odd)).toEqual({
      steps: [
        { id: "1", name: "Explain", type: "prompt" },
        { id: "2", name: "Shorten", type: "prompt" },
      ],
      edges: [
        { id: "t", source: "1", target: "2", label: "always" },
        { id: "x", source: "1", target: "", label: "y" },
      ],
    });
  });
});

describe("a refusal of a draft", () => {
  it.each([
    [["body", "steps", 0, "prompt_template", "text"], "steps.0.prompt_template", "text: is bad"],
    [["body", "steps", 1, "key"], "steps.1.key", "is bad"],
    [["body", "steps", 1], "steps.1.key", "is bad"],
    [["body", "steps", 0, "feature_keys", 2], "steps.0.feature_keys", "2: is bad"],
    [["body", "step_transitions", 3, "target"], "step_transitions.3.target", "is bad"],
    [["body", "step_transitions", 3], "step_transitions.3.label", "is bad"],
    [["body", "trigger", "when"], "trigger.when", "is bad"],
    [["body", "trigger", "schedule"], "trigger.schedule.cron", "is bad"],
    [["body", "trigger", "schedule", "cron"], "trigger.schedule.cron", "is bad"],
    [["body", "trigger", "schedule", "time_zone"], "trigger.schedule.time_zone", "is bad"],
  ])("is said at its field: %j", (loc, field, text) => {
    expect([...problemsByField([{ loc, msg: "is bad", type: "bad" }])]).toEqual([[field, text]]);
  });

  it.each([[["body", "steps"]], [["path", "automation_id"]], [["body", "trigger"]]])(
    "stands at no field where it names none: %j",
    (loc) => {
      expect(problemsByField([{ loc, msg: "is bad", type: "bad" }]).size).toBe(0);
    },
  );
});
