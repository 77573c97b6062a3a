/// <reference types="node" />
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OverrideDeclaration } from "../../api/platform.ts";
import { commandObjection, commandRules, readOverride } from "./command-rules.ts";

const page = readFileSync(new URL("../../../../../docs/api/training-commands.md", import.meta.url), "utf8");
const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
const states = rows.find(([, first, second]) => first === "" && second === "queued")?.slice(2, -1) ?? [];

/** States in which the reference says that a command is accepted. */
function accepted(action: string): string[] {
  const row = rows.find((cells) => cells[1] === action && cells.length === states.length + 3) ?? [];
  return states.filter((_, index) => row[index + 2] === "A").sort();
}

describe("the states in which a command is offered", () => {
  it.each(commandRules)("are those in which the reference accepts it: $action", ({ action, states: offered }) => {
    expect([...offered].sort()).toEqual(accepted(action));
  });

  it("are named where a command is not possible", () => {
    const resume = commandRules.find(({ action }) => action === "resume");
    expect(resume && commandObjection(resume, "running")).toBe("Resume is not possible while the job is running.");
  });
});

describe("what is typed for a setting", () => {
  const declared = (type: OverrideDeclaration["type"], minimum: number | null, maximum: number | null) => {
    const rest = { key: "k", class: "hot", allowed: [] } satisfies Partial<OverrideDeclaration>;
    return { ...rest, type, minimum, maximum };
  };

  it.each([
    [declared("number", 0, 1), "0.5", { value: 0.5 }],
    [declared("number", 0, 1), "2", { problem: "must be at most 1" }],
    [declared("number", 0, 1), "-1", { problem: "must be at least 0" }],
    [declared("number", 0, 1), "fast", { problem: "must be a number" }],
    [declared("integer", null, null), "1.5", { problem: "must be a whole number" }],
    [declared("boolean", null, null), "true", { value: true }],
    [declared("string", null, null), "adam", { value: "adam" }],
  ])("is read by its declaration: %o %s", (declaration, text, reading) => {
    expect(readOverride(declaration, text)).toEqual(reading);
  });
});
