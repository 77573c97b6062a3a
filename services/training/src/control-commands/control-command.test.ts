import { describe, expect, it } from "@jest/globals";
import { JOB_STATES } from "../jobs/job-state.ts";
import { ACTIONS, admissionOf, canHaveApplied, stateAfter } from "./control-command.ts";

const SPECIFIED = `
| | queued | preparing | running | held | pausing | paused | restoring | finishing | aborting | completed | failed | aborted |
| continue | R | R | A | A | R | R | R | R | R | R | R | R |
| pause | A | A | A | A | N | N | A | R | R | R | R | R |
| resume | N | N | N | R | A | A | R | R | R | R | R | R |
| rollback | R | R | A | A | A | A | R | R | R | R | A | R |
| warm_restart | R | R | A | A | A | A | R | R | R | R | A | R |
| finish_from_checkpoint | R | R | A | A | A | A | R | N | R | R | A | R |
| abort | A | A | A | A | A | A | A | A | N | R | R | N |
`;

const [states = [], ...rows] = SPECIFIED.trim()
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("admission of an action in a state", () => {
  it("knows every action and every state of the specification, and no other", () => {
    expect(rows.map(([action]) => action)).toEqual([...ACTIONS]);
    expect(states.slice(1)).toEqual([...JOB_STATES]);
  });

  for (const action of ACTIONS) {
    const cells = rows.find(([name]) => name === action)?.slice(1) ?? [];
    for (const [column, state] of JOB_STATES.entries()) {
      it(`answers ${cells[column]} to ${action} while ${state}`, () => {
        expect(admissionOf(action, state)).toBe(cells[column]);
      });
    }
  }
});

describe("an accepted action", () => {
  for (const action of ACTIONS) {
    for (const state of JOB_STATES.filter((state) => admissionOf(action, state) === "A")) {
      it(`can be acknowledged: ${action} while ${state}`, () => {
        expect(canHaveApplied(action, state)).toBe(true);
      });
    }
    it(`leads to a state in which the job rests: ${action}`, () => {
      expect(["running", "paused", "completed", "aborted"]).toContain(stateAfter(action));
    });
  }
});
