import { describe, expect, it } from "vitest";
import { hasRepeatedMembers } from "./repeated-members.ts";

describe("a JSON text in which a member stands twice", () => {
  it.each([
    '{"alg":"none","alg":"ES256"}',
    '{ "alg" : "ES256" , "kid":"a", "alg" : "ES256" }',
    '{"a":{"b":1,"b":2}}',
    '{"a":[{"b":1},{"b":1,"b":1}]}',
    '{"alg":"none","\\u0061lg":"ES256"}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
  ])("is found: %s", (text) => {
    expect(hasRepeatedMembers(text)).toBe(true);
  });

  it.each([
    "{}",
    "[]",
    "7",
    '"a:b"',
    '{"alg":"ES256","kid":"alg"}',
    '{"a":{"b":1},"b":{"a":1}}',
    '{"a":[{"b":1},{"b":1}]}',
    '{"a":"\\"a\\":1","b":"\\\\"}',
    '{"a":"x","b":["a","b"]}',
    '{"__proto__":{"a":1}}',
  ])("is told from others: %s", (text) => {
    expect(hasRepeatedMembers(text)).toBe(false);
  });

  it("is looked for in JSON only", () => {
    expect(() => hasRepeatedMembers('{"a":1')).toThrow(SyntaxError);
  });
});
