import { describe, expect, it } from "vitest";
import { readTemplate, StepTemplateError } from "./template-text.ts";

const refusalOf = (text: string) => {
  try {
    readTemplate(text, 20_000);
  } catch (error) {
    if (error instanceof StepTemplateError) return error.message;
    throw error;
  }
  throw new Error("the template was read");
};

describe("a template", () => {
  it.each([
    ["plain text", "Hello", [], []],
    ["what it prints", "Dear {{ customer.name | upcase }},", ["customer.name"], []],
    ["arguments", "{{ a | where: b.c, 'x' }}", ["a", "b.c"], []],
    [
      "conditions and loops",
      "{% if a %}{% for i in b %}{{ i }}{{ forloop.index }}{% endfor %}{% endif %}",
      ["a", "b"],
      [],
    ],
    ["not its own", "{% assign q = 1 %}{% capture c %}x{% endcapture %}{{ q }}{{ c }}", [], []],
    ["paths in paths", "{{ a[b.c] }}", ["a[b.c]", "b.c"], []],
    ["nothing of comments", "{% comment %}{{ features.x }}{% endcomment %}{% raw %}{{ y }}{% endraw %}", [], []],
    [
      "features",
      "{{ features.age }} {{ features['a b'].mean }} {{ features.age }}",
      ["features['a b'].mean", "features.age"],
      ["a b", "age"],
    ],
    [
      "features anywhere",
      "{% case x %}{% when features.a %}{% endcase %}{% liquid\n echo features.b %}",
      ["features.a", "features.b", "x"],
      ["a", "b"],
    ],
  ])("is known to read %s", (_, text, variables, featureKeys) => {
    expect(readTemplate(text, 20_000)).toMatchObject({ variables: [...variables].sort(), featureKeys });
  });

  it.each([
    ["an open output", "x\n  {{ a ", 'line 2, column 3: output "{{ a " not closed'],
    ["an open tag", "{% if a %}", "line 1, column 1: tag {% if a %} not closed"],
    ["an unknown tag", "x\n  {% bogus %}", 'line 2, column 3: tag "bogus" not found'],
    ["an unknown filter", "{{ a | bogus }}", "line 1, column 1: undefined filter: bogus"],
    ["nothing to print", "{{ }}", 'line 1, column 4: invalid value expression: ""'],
    ["another file", "{% include '/etc/passwd' %}", 'line 1, column 1: tag "include" not found'],
    ["another template", "{% render 'x' %}", 'line 1, column 1: tag "render" not found'],
  ])("with %s is refused at its place", (_, text, message) => {
    expect(refusalOf(text)).toBe(message);
  });

  it.each([
    ["all features", "{% for f in features %}{% endfor %}"],
    ["a feature by a variable", "{{ features[name] }}"],
    ["a feature by a number", "{{ features[0] }}"],
    ["features under another name", "{% assign f = features %}{{ f.age }}"],
  ])("that reads %s is refused: which features it reads is unknown", (_, text) => {
    expect(refusalOf(text)).toBe("features are read by a key that stands in the template, as in `features.age`");
  });

  it("cannot give features another meaning, under whatever condition", () => {
    const text = "{% if a %}{% assign features = b %}{% endif %}{{ features.age }}";
    expect(refusalOf(text)).toBe("a template cannot give `features` another meaning");
  });

  it.each([
    ["brackets in brackets", `{{ a${"[a".repeat(3_000)}${"]".repeat(3_000)} }}`, /brackets may stand 8 deep/],
    ["tags in tags", `${"{% if a %}".repeat(1_900)}`, /not closed|too deep/],
    ["groups in groups", `{{ ${"(1..".repeat(4_900)} }}`, /tags stand too deep in each other/],
    ["outputs without end", "{{a}}".repeat(4_001), /outputs and tags have 5 characters too many/],
    [
      "arguments behind a text that looks like an end",
      `{{ "}}" | slice: ${"a,".repeat(20_000)}a }}`,
      /outputs and tags have \d+ characters too many/,
    ],
  ])("made of %s is refused within a second of work", (_, text, message) => {
    // Of this thread: what else the machine does at the moment is not the template's doing.
    const before = process.threadCpuUsage();
    expect(refusalOf(text)).toMatch(message);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
