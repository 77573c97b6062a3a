import { describe, expect, it } from "vitest";
import { OutputLines } from "./output-lines.ts";

function linesOf(...texts: string[]): string[] {
  const lines: string[] = [];
  const output = new OutputLines((line) => lines.push(line));
  for (const text of texts) output.write(text);
  output.end();
  return lines;
}

describe("what a process writes", () => {
  it.each<[string, string[], string[]]>([
    ["a line", ["one\n"], ["one"]],
    ["a line in pieces", ["o", "n", "e\nt", "wo\n"], ["one", "two"]],
    ["lines of Windows, and empty ones", ["one\r\n\n\ntwo\n"], ["one", "two"]],
    ["text without a line end", ["one"], ["one"]],
    ["a line that is too long", [`${"a".repeat(5_000)}\nb\n`], ["a".repeat(4_096), "b"]],
    ["a line that never ends", ["a".repeat(5_000), "a"], ["a".repeat(4_096), "a".repeat(905)]],
  ])("is passed on line by line: %s", (_what, texts, lines) => {
    expect(linesOf(...texts)).toEqual(lines);
  });

  it("is cut to what a log can take, and what is left out is counted", () => {
    const lines = linesOf("a".repeat(1_023).concat("\n").repeat(100));
    expect(lines).toHaveLength(65);
    expect(lines.at(-1)).toBe("[36 lines of output left out]");
  });
});
