import { describe, expect, it } from "@jest/globals";
import { soleOutput } from "./sole-output.ts";

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
