import { describe, expect, it } from "vitest";
import { hintOfLater } from "./later-problems.ts";

const problem = (type: string, ...loc: (string | number)[]) => ({
  type,
  loc,
  msg: "",
  input: undefined,
  ctx: undefined,
});

describe("what a request breaks besides what it is answered", () => {
  it("is said by place and type, without what is answered", () => {
    const answered = [problem("string_type", "body", "name")];
    const found = [
      ...answered,
      problem("path_invalid", "body", "artifacts", 0, "path"),
      problem("x", "query", "limit"),
    ];
    expect(hintOfLater(found, answered)).toBe("Also wrong: body.artifacts.0.path (path_invalid), query.limit (x)");
  });

  it("is nothing where everything is answered, or only that there is more", () => {
    const answered = [problem("string_type", "body", "name")];
    expect(hintOfLater([...answered, problem("too_many_errors", "body")], answered)).toBeUndefined();
  });

  it("has no key that the caller chose", () => {
    const found = [
      problem("string_type", "body", "labels", "Pässwort: 1"),
      problem("x", "body", "labels", "A".repeat(9)),
    ];
    expect(hintOfLater(found, [])).toBe("Also wrong: body.labels.* (string_type), body.labels.* (x)");
  });

  it("has room for two kilobytes", () => {
    const found = Array.from({ length: 200 }, (_, index) => problem("string_type", "body", "items", index));
    const hint = hintOfLater(found, []) ?? "";
    expect(hint.length).toBeLessThanOrEqual(2_048);
    expect(hint.length).toBeGreaterThan(1_900);
    expect(hint).toMatch(/, body\.items\.\d+ \(string_type\), and more$/);
  });
});
