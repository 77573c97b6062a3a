import { describe, expect, it } from "vitest";
import { columnsOf, readTemplate, renderTemplate, TemplateFault } from "./row-template.ts";

describe("a template of rows", () => {
  const rendered: readonly (readonly [template: string, row: Record<string, unknown>, text: string])[] = [
    ["{{a}}", { a: "x" }, "x"],
    ["a {{ b c }}!", { "b c": 7 }, "a 7!"],
    ["{{a}}{{b}}{{a}}", { a: true, b: null }, "truetrue"],
    ["{{a}}", {}, ""],
    ["{{a}}", { a: [1, { b: "}}" }] }, '[1,{"b":"}}"}]'],
    ["{ {a} }", {}, "{ {a} }"],
    ["{{a}} }}", { a: "{{b}}" }, "{{b}} }}"],
  ];
  it.each(rendered)("%s is filled with the values of %j", (template, row, text) => {
    expect(renderTemplate(readTemplate(template), row)).toBe(text);
  });

  it("names each of its columns once", () => {
    expect(columnsOf(readTemplate("{{a}} {{b}} {{ a }}"))).toEqual(["a", "b"]);
  });

  it.each(["{{a", "x {{a}} {{", "{{ }}"])("is refused where a name has no end or is empty: %s", (template) => {
    expect(() => readTemplate(template)).toThrow(TemplateFault);
  });
});
