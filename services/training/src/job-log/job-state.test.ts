import { describe, expect, it } from "vitest";
import { isEnded, jobStates, mayReport, reportedMoves } from "./job-state.ts";

const reportable = [
  "preparing",
  "running",
  "held",
  "pausing",
  "restoring",
  "finishing",
  "aborting",
  "completed",
  "failed",
];

describe("moves that a trainer reports", () => {
  it.each(jobStates.map((state) => [state]))(
    "lead from %s only to states that a trainer may enter by itself",
    (state) => {
      for (const target of reportedMoves[state]) expect(reportable).toContain(target);
    },
  );

  it.each([["completed"], ["aborted"]] as const)("never leave %s", (state) => {
    expect(reportedMoves[state]).toEqual([]);
  });

  it("never take a paused job back to running without a command", () => {
    expect(mayReport("paused", "running")).toBe(false);
    expect(mayReport("paused", "preparing")).toBe(false);
  });

  it("can fail from every state that is no end", () => {
    for (const state of jobStates.filter((state) => !isEnded(state))) expect(mayReport(state, "failed")).toBe(true);
  });

  it("complete only what runs or finishes", () => {
    const completing = jobStates.filter((state) => mayReport(state, "completed"));
    expect(completing).toEqual(["running", "finishing"]);
  });
});
