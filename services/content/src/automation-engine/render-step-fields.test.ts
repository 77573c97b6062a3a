import { threadCpuMs } from "@aiplatform/testkit/thread-cpu";
import { Liquid } from "liquidjs";
import { describe, expect, it } from "vitest";
import type { FieldRules, Filling } from "../automation-steps/step-fields.ts";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import { renderStepFields, soleOutput } from "./render-step-fields.ts";

const scope = {
  input: { name: "Ada", rate: 0.5, list: [1, 2], brackets: "{{ member.email }} {% if x %} {", html: "<b>&</b>" },
  steps: { write: { output: { text: '```json\n[{"name":"a","description":"{{ x }}"}]\n```' } } },
};
const text = (template: string, filling: Filling = "plain") =>
  renderStepFields({ text: template }, { text: { kind: "text", maxLength: 100, filling } }, scope)["text"];
const json = (value: unknown) => renderStepFields({ json: value }, { json: { kind: "json" } }, scope)["json"];

describe("a step's fields", () => {
  it("are filled in wherever their type knows a text, and are left out where it knows none", () => {
    const item: FieldRules = { name: { kind: "text", maxLength: 9 } };
    const rules: FieldRules = {
      text: { kind: "text", maxLength: 9 },
      ids: { kind: "texts", maxItems: 9, maxLength: 9 },
      objects: { kind: "objects", fields: item, maxItems: 9 },
      count: { kind: "integer", min: 0, max: 9 },
      word: { kind: "word", oneOf: ["{{ a }}"] },
    };
    const template = "{{ input.name }}";
    const fields = {
      text: template,
      ids: [template],
      objects: [{ name: template, more: 1 }],
      count: 2,
      word: "{{ a }}",
    };
    expect(renderStepFields({ ...fields, unknown: "{{ nonsense" }, rules, scope)).toEqual({
      text: "Ada",
      ids: ["Ada"],
      objects: [{ name: "Ada" }],
      count: 2,
      word: "{{ a }}",
    });
  });

  it("may be a list that an earlier step wrote as JSON, whose texts are no templates", () => {
    const rules: FieldRules = { entries: { kind: "objects", fields: {}, maxItems: 9 } };
    const made = renderStepFields({ entries: "{{ steps.write.output.text }}" }, rules, scope);
    expect(made).toEqual({ entries: [{ name: "a", description: "{{ x }}" }] });
    expect(() => renderStepFields({ entries: "{{ input.name }}" }, rules, scope)).toThrow(StepFailedError);
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
    const taken = threadCpuMs(() => expect(() => text(template)).toThrow(StepFailedError));
    expect(taken).toBeLessThan(3_000);
  });

  it("have one budget together", () => {
    const slow = "{% for i in (1..3000000) %}{{ i }}{% endfor %}";
    const rules: FieldRules = { ids: { kind: "texts", maxItems: 100, maxLength: 100 } };
    const ids = Array.from({ length: 100 }, () => slow);
    const taken = threadCpuMs(() => expect(() => renderStepFields({ ids }, rules, scope)).toThrow(StepFailedError));
    expect(taken).toBeLessThan(3_000);
  });
});

describe("a template that is one output", () => {
  it.each([
    ["{{ input.rate }}", " input.rate "],
    ["{{- a -}}", " a "],
    ["{{}}", ""],
    ["{{-}}", ""],
    ["{{--}}", ""],
    ["{{{a}}", "{a"],
  ])("%j puts out %j", (template, expected) => {
    expect(soleOutput(template)).toBe(expected);
  });

  it.each(["", "{{}", "a", " {{ a }}", "{{ a }} ", "{{ a }}{{ b }}", "{{ a }}}", "{{{{ a }}"])(
    "is not %j",
    (template) => {
      expect(soleOutput(template)).toBeUndefined();
    },
  );
});
