import { describe, expect, it } from "vitest";
import { linearPatterns, PatternError } from "./linear-patterns.ts";

const matches = (pattern: string, text: string) => linearPatterns(pattern, "u").test(text);

describe("a pattern", () => {
  it.each([
    ["^a+$", "aaa", "aab"],
    ["b", "abc", "ac"],
    ["^[\\w-]+@example\\.com$", "ada-l@example.com", "ada@example.org"],
    ["^\\u00e9$", "é", "e"],
    ["^[\\u4e00-\\u9fa5]+$", "中文", "abc"],
    ["^(?<year>\\d{4})$", "2026", "26"],
    ["^\\p{Lu}\\P{Lu}$", "Aa", "aA"],
    ["^\\/$", "/", "\\"],
    ["^a[^]b$", "a\nb", "ab"],
    ["\\\\k", "\\k", "k"],
  ])("%s matches %j and not %j, as in JavaScript", (pattern, text, other) => {
    expect([matches(pattern, text), matches(pattern, other)]).toEqual([true, false]);
    expect([new RegExp(pattern, "u").test(text), new RegExp(pattern, "u").test(other)]).toEqual([true, false]);
  });

  it.each(["^(a+)+$", "^(a|aa)*$", "(.*)*x$", "^(\\w+\\s?)*$"])(
    "%s, which backtracks for ever in JavaScript, takes no time",
    (pattern) => {
      expect(matches(pattern, `${"a".repeat(50_000)}!`)).toBe(false);
    },
  );

  it.each(["(?=a)b", "(?!a)b", "(?<=a)b", "(a)\\1", "(?<x>a)\\k<x>", "a{2000}"])(
    "%s is refused, with what to do",
    (pattern) => {
      expect(() => linearPatterns(pattern, "u")).toThrow(PatternError);
      expect(() => linearPatterns(pattern, "u")).toThrow("backreferences and lookaround are not supported");
    },
  );

  it("that is none is refused", () => {
    expect(() => linearPatterns("(", "u")).toThrow(SyntaxError);
  });
});
