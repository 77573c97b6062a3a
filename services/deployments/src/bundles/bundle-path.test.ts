import { describe, expect, it } from "vitest";
import { collide, pathProblem } from "./bundle-path.ts";

describe("the path of a file of a bundle", () => {
  it.each(["model.onnx", "lib/a/b.mjs", "déjà vu.txt", "..a", "a..", "a/...", ".hidden"])("may be %j", (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  it.each([
    ["/etc/passwd", "the path is not relative"],
    ["", "the path has an empty part, or . or .. for one"],
    ["..", "the path has an empty part, or . or .. for one"],
    ["../secret", "the path has an empty part, or . or .. for one"],
    ["a/../../b", "the path has an empty part, or . or .. for one"],
    ["a//b", "the path has an empty part, or . or .. for one"],
    ["a/", "the path has an empty part, or . or .. for one"],
    ["./a", "the path has an empty part, or . or .. for one"],
    ["a\\..\\b", "the path has a character that no path may have"],
    ["C:/a", "the path has a character that no path may have"],
    ["a\0b", "the path has a character that no path may have"],
    ["a\nb", "the path has a character that no path may have"],
    ["é".repeat(128), "the path has a part of more than 255 bytes"],
  ])("cannot be %j", (path, problem) => {
    expect(pathProblem(path)).toBe(problem);
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
