import { threadCpuMs } from "@aiplatform/testkit/thread-cpu";
import { describe, expect, it } from "vitest";
import { oneLine, TemplateError, Templates, templateViolations } from "./templates.ts";

const ada = { member: { display_name: "Ada <b>", email: "ada@people.test" } };
const filled = (content: { subject?: string; text?: string; html?: string }) =>
  Templates.of({ subject: "", text: "", html: "", ...content }).fill(ada);

describe("templates that are filled in", () => {
  it("escape values in HTML alone, even where asked not to", () => {
    const template = "{{ member.display_name | raw }}";
    expect(filled({ subject: template, text: template, html: template })).toEqual({
      subject: "Ada <b>",
      text: "Ada <b>",
      html: "Ada &lt;b&gt;",
    });
  });

  it("make a subject of one line, which a header can hold", () => {
    expect(filled({ subject: "News\r\nBcc: eve@people.test\n{{ member.email }}" }).subject).toBe(
      "News Bcc: eve@people.test ada@people.test",
    );
    expect(filled({ subject: "x".repeat(2_000) }).subject).toHaveLength(998);
  });
});

describe("a line", () => {
  it.each([
    ["a\r\nb", "a b"],
    ["a\0b", "a b"],
    ["a\u2028b\u2029c\u0085d", "a b c d"],
    ["  a \t b  ", "a b"],
  ])("is made of %j", (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe("templates that cannot be filled in", () => {
  it("are told each with its place", () => {
    const content = { subject: "{{ member.nmae }}", text: "{{ 1 | nosuch }}", html: "a\n{% if %}" };
    const found = templateViolations(content);
    expect(found.map(({ field }) => field)).toEqual(["subject", "text", "html"]);
    expect(found[2]?.description).toMatch(/line:2/);
  });

  const doubled = `{% assign a = "xxxxxxxx" %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}`;
  const bombs: [string, string][] = [
    ["counts to a thousand million", "{% for i in (1..1000000000) %}x{% endfor %}"],
    ["loops in loops", `${"{% for i in (1..1000) %}".repeat(3)}xxxxxxxxxx${"{% endfor %}".repeat(3)}`],
    ["doubles a text", doubled],
    ["pads a date", '{{ "now" | date: "%999999999d" }}'],
    ["multiplies by replacing", `{% assign a = "x" %}${"{% assign a = a | replace: 'x', 'xxxxxxxxxx' %}".repeat(12)}`],
    ["nests", `${"{% if true %}".repeat(900)}x${"{% endif %}".repeat(900)}`],
    ["nests brackets", `{{ ${"[".repeat(9_000)} }}`],
    ["has outputs without end", "{{ 1 }}".repeat(70_000)],
    ["filters without end", `{{ 1 ${"| plus: 1 ".repeat(40_000)} }}`],
    ["reads files", "{% include '/etc/passwd' %}"],
    ["reads files as a layout", "{% layout '/etc/passwd' %}"],
    ["looks behind values", "{{ member.constructor }}"],
  ];
  it.each(bombs)("end soon: one that %s", (_what, template) => {
    const taken = threadCpuMs(() => expect(() => filled({ text: template })).toThrow(TemplateError));
    expect(taken).toBeLessThan(5_000);
  });
});
