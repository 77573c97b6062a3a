import { describe, expect, it } from "@jest/globals";
import { isEnded, JOB_STATES, mayReport, REPORTED_MOVES } from "./job-state.ts";

const REPORTABLE = [
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
  it.each(JOB_STATES.map((state) => [state]))(
    "lead from %s only to states that a trainer may enter by itself",
    (state) => {
      for (const target of REPORTED_MOVES[state]) expect(REPORTABLE).toContain(target);
    },
  );

  it.each([["completed"], ["aborted"]] as const)("never leave %s", (state) => {
    expect(REPORTED_MOVES[state]).toEqual([]);
  });

  it("never take a paused job back to running without a command", () => {
    expect(mayReport("paused", "running")).toBe(false);
    expect(mayReport("paused", "preparing")).toBe(false);
  });

  it("can fail from every state that is no end", () => {
    for (const state of JOB_STATES.filter((state) => !isEnded(state))) expect(mayReport(state, "failed")).toBe(true);
  });

  it("complete only what runs or finishes", () => {
    const completing = JOB_STATES.filter((state) => mayReport(state, "completed"));
    expect(completing).toEqual(["running", "finishing"]);
  });
});
