import { describe, expect, it } from "@jest/globals";
import { Liquid } from "liquidjs";
import type { Filling, MemberRules } from "../automations/step-members.ts";
import { filledMembers } from "./filled-members.ts";
import { StepFailedError } from "./step.ts";

const scope = {
  input: { name: "Ada", rate: 0.5, list: [1, 2], brackets: "{{ member.email }} {% if x %} {", html: "<b>&</b>" },
  steps: { write: { output: { text: '```json\n[{"name":"a","description":"{{ x }}"}]\n```' } } },
};
const text = (template: string, filling: Filling = "plain") =>
  filledMembers({ text: template }, { text: { kind: "text", longest: 100, filling } }, scope)["text"];
const json = (value: unknown) => filledMembers({ json: value }, { json: { kind: "json" } }, scope)["json"];

describe("a step's members", () => {
  it("are filled in wherever their kind knows a text, and are left out where it knows none", () => {
    const item: MemberRules = { name: { kind: "text", longest: 9 } };
    const rules: MemberRules = {
      text: { kind: "text", longest: 9 },
      ids: { kind: "texts", most: 9, longest: 9 },
      objects: { kind: "objects", members: item, most: 9 },
      count: { kind: "integer", min: 0, max: 9 },
      word: { kind: "word", oneOf: ["{{ a }}"] },
    };
    const template = "{{ input.name }}";
    const members = {
      text: template,
      ids: [template],
      objects: [{ name: template, more: 1 }],
      count: 2,
      word: "{{ a }}",
    };
    expect(filledMembers({ ...members, unknown: "{{ nonsense" }, rules, scope)).toEqual({
      text: "Ada",
      ids: ["Ada"],
      objects: [{ name: "Ada" }],
      count: 2,
      word: "{{ a }}",
    });
  });

  it("may be a list that an earlier step wrote as JSON, whose texts are no templates", () => {
    const rules: MemberRules = { entries: { kind: "objects", members: {}, most: 9 } };
    const made = filledMembers({ entries: "{{ steps.write.output.text }}" }, rules, scope);
    expect(made).toEqual({ entries: [{ name: "a", description: "{{ x }}" }] });
    expect(() => filledMembers({ entries: "{{ input.name }}" }, rules, scope)).toThrow(StepFailedError);
  });

  it("keep the type of what a text in JSON alone puts out", () => {
    const value = {
      rate: "{{ input.rate }}",
      list: ["{{ input.list }}", "{{ input.rate }}!"],
      gone: "{{ input.x | default: 1 }}",
    };
    expect(json(value)).toEqual({ rate: 0.5, list: [[1, 2], "0.5!"], gone: 1 });
  });

  it("name what is missing", () => {
    expect(() => text("{{ input.nothing }}")).toThrow("text: undefined variable: input.nothing");
    expect(text('{{ input.nothing | default: "x" }}')).toBe("x");
  });

  it("are put into an e-mail's template as what they are", async () => {
    const template = "{{ input.brackets }}{% raw %}{{ member.name }}{% endraw %}";
    const filled = String(text(template, "email"));
    const read = await new Liquid().parseAndRender(filled, { member: { name: "Grace", email: "never" } });
    expect(read).toBe(`${scope.input.brackets}Grace`);
  });

  it("are put into an e-mail's HTML as text", () => {
    expect(text("<i>{{ input.html }}{{ input.html | raw }}</i>", "email_html")).toBe(
      "<i>&lt;b&gt;&amp;&lt;/b&gt;&lt;b&gt;&amp;&lt;/b&gt;</i>",
    );
  });

  it.each([
    ["loops for ever", "{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}"],
    [
      "grows and grows",
      "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
    ],
    ["makes a list of everything", "{{ (1..1000000000) | join }}"],
  ])("end with an error where a template %s", (_, template) => {
    const start = performance.now();
    expect(() => text(template)).toThrow(StepFailedError);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("have one budget together", () => {
    const slow = "{% for i in (1..3000000) %}{{ i }}{% endfor %}";
    const rules: MemberRules = { ids: { kind: "texts", most: 100, longest: 100 } };
    const start = performance.now();
    expect(() => filledMembers({ ids: Array.from({ length: 100 }, () => slow) }, rules, scope)).toThrow(
      StepFailedError,
    );
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
