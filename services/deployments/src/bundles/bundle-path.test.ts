import { describe, expect, it } from "vitest";
import { collide, pathProblem } from "./bundle-path.ts";

describe("the path of a file of a bundle", () => {
  it.each(["model.onnx", "lib/a/b.mjs", "déjà vu.txt", "..a", "a..", "a/...", ".hidden"])("may be %j", (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  it.each([
    ["/etc/passwd", expect.stringContaining("must be relative")],
    ["", expect.stringContaining("must be relative")],
    ["..", expect.stringContaining("must be relative")],
    ["../secret", expect.stringContaining("must be relative")],
    ["a/../../b", expect.stringContaining("must be relative")],
    ["a//b", expect.stringContaining("must be relative")],
    ["a/", expect.stringContaining("must be relative")],
    ["./a", expect.stringContaining("must be relative")],
    ["a\\..\\b", expect.stringContaining("must be relative")],
    ["C:/a", expect.stringContaining("must be relative")],
    ["a\0b", expect.stringContaining("must be relative")],
    ["a\nb", expect.stringContaining("must be relative")],
    ["é".repeat(128), "the path has a part of more than 255 bytes"],
  ])("cannot be %j", (path, problem) => {
    expect(pathProblem(path)).toEqual(problem);
  });

  it.each([
    ["a", "a", true],
    ["A", "a", true],
    ["a", "a/b", true],
    ["a/b", "a", true],
    ["a/b", "a/c", false],
    ["ab", "a", false],
  ])("meets another: %j and %j, %j", (some, other, expected) => {
    expect(collide(some, other)).toBe(expected);
  });
});
