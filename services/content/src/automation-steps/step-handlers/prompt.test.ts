import { describe, expect, it } from "vitest";
import { StepFailedError } from "../step-outcome.ts";
import { chosenLabel } from "./prompt.ts";

describe("the label of a prompt's answer", () => {
  it.each([
    ["anything", [], undefined],
    ["anything", ["ok"], "ok"],
    ["odd", ["odd", "even"], "odd"],
    ["  **Odd.**\nBecause it is.", ["odd", "even"], "odd"],
    ["EVEN, I would say", ["odd", "Even"], "Even"],
    ["_*`'\"odd\"'`*_...", ["odd", "even"], "odd"],
    ["needs more data, I think", ["needs", "needs more data"], "needs"],
    ["needs more data\nreally", ["needs", "needs more data"], "needs more data"],
  ])("%j chooses among %j", (answer, labels, expected) => {
    expect(chosenLabel(answer, { labels })).toBe(expected);
  });

  it.each(["", "neither", "oddly", "I think odd"])("%j chooses none, and the step fails", (answer) => {
    expect(() => chosenLabel(answer, { labels: ["odd", "even"] })).toThrow(StepFailedError);
  });

  it("is looked for in time that grows with the answer, whatever marks it has", () => {
    const answer = `odd${".".repeat(1_000_000)}x`;
    const before = process.cpuUsage();
    expect(() => chosenLabel(answer, { labels: ["odd", "even"] })).toThrow(StepFailedError);
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
