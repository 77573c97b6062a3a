import { describe, expect, it } from "vitest";
import { maxSchemaLength, schemaProblem } from "./interface-schema.ts";

const nested = (depth: number): string => (depth === 0 ? "{}" : `{"properties":{"a":${nested(depth - 1)}}}`);

describe("a schema of an interface", () => {
  it.each([
    "",
    "{}",
    '{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}}',
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/x"}',
    '{"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}',
    '{"type":"string","format":"date-time"}',
    '{"type":"string","format":"our-own"}',
    '{"an unknown keyword":1}',
    nested(100),
    '{"pattern":"^(a+)+$","patternProperties":{"^\\\\p{Lu}\\\\u00e9?$":{"pattern":"^[^]*$"}}}',
  ])("may be %s", (text) => {
    expect(schemaProblem(text)).toBeUndefined();
  });

  it("may be named as another one was", () => {
    const named = '{"$id":"https://example.com/same","type":"number"}';
    expect([schemaProblem(named), schemaProblem(named)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['{"type":"objekt"}', "type must be"],
    ['{"properties":[]}', "properties must be object"],
    ['{"$ref":"https://example.com/elsewhere"}', "can't resolve reference"],
    ['{"$ref":"#/$defs/nowhere"}', "can't resolve reference"],
    ['{"pattern":"("}', "Unterminated group"],
    ['{"$schema":"http://json-schema.org/draft-07/schema#"}', "no schema with key or ref"],
  ])("cannot be %s", (text, problem) => {
    expect(schemaProblem(text)).toContain(problem);
  });

  it.each([
    ['{"pattern":"^(a)\\\\1$"}', "invalid escape sequence"],
    ['{"pattern":"^(?<x>a)\\\\k<x>$"}', "it has a backreference"],
    ['{"patternProperties":{"^(?!_)":{}}}', "invalid or unsupported Perl syntax"],
    ['{"items":{"pattern":"(?<=a)b"}}', "invalid named capture"],
    ['{"pattern":"a{2000}"}', "invalid repeat count"],
  ])("cannot be %s, whose pattern can take for ever, and the problem says what to do", (text, problem) => {
    expect(schemaProblem(text)).toContain(problem);
    expect(schemaProblem(text)).toMatch(/the pattern ".+" cannot be used.+ write the pattern without them$/);
  });

  it("is refused when it is too long, before it is looked at", () => {
    expect(schemaProblem(`{"title":"${"x".repeat(maxSchemaLength)}"}`)).toContain("more than");
  });
});
