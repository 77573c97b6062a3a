import { describe, expect, it } from "vitest";
import { Templates, templateViolations } from "../email-drafts/templates.ts";
import { ownerDraft } from "./owner-draft.ts";

const filled = (draft: ReturnType<typeof ownerDraft>) =>
  Templates.of(draft).fill({ member: { display_name: "Ada", email: "ada@people.test" } });

describe("the draft to an owner", () => {
  it("names the feature, the automations and what to use instead", () => {
    const draft = ownerDraft({ featureKey: "age", replacementKey: "birth_year" }, [{ name: "One" }, { name: "Two" }]);
    const { subject, text } = filled(draft);
    expect(subject).toBe("The feature age is deprecated");
    expect(text.split("\n")).toEqual([
      "Dear Ada,",
      "",
      "the feature age is deprecated. These automations of yours use it:",
      "",
      "- One",
      "- Two",
      "",
      "Use the feature birth_year instead.",
    ]);
  });

  it("names ten automations at most, and says how many more there are", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `Automation ${index}` }));
    const { text } = filled(ownerDraft({ featureKey: "age", replacementKey: undefined }, many));
    expect(text).toContain("- Automation 9\n- and 9990 more\n\nThe owner has not named a replacement.");
  });

  it.each([
    "{{ member.email }}",
    "{% raw %}",
    "{% endraw %}{{ 1 | nosuch }}",
    "{{- x -}}",
    '"}} {{',
    "{%",
    "}}{#",
    "a\nSubject: b",
    "{".repeat(255),
    "\u{1f600}".repeat(120),
  ])("says %j as it is", (name) => {
    const draft = ownerDraft({ featureKey: name, replacementKey: name }, Array(20).fill({ name }));
    expect(templateViolations(draft)).toEqual([]);
    const shown = name.replaceAll("\n", " ").slice(0, 99);
    const { subject, text } = filled(draft);
    expect(subject).toContain(shown);
    expect(text).toContain(`- ${shown}`);
    expect(text).toContain(`Use the feature ${shown}`);
  });
});
