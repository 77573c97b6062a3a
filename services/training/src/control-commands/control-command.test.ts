import { describe, expect, it } from "vitest";
import { actions } from "../job-log/job-entry.ts";
import { jobStates } from "../job-log/job-state.ts";
import { admissionOf, canHaveApplied, stateAfter } from "./control-command.ts";

const specified = `
| | queued | preparing | running | held | pausing | paused | restoring | finishing | aborting | completed | failed | aborted |
| continue | R | R | A | A | R | R | R | R | R | R | R | R |
| pause | A | A | A | A | N | N | A | R | R | R | R | R |
| resume | N | N | N | R | A | A | R | R | R | R | R | R |
| rollback | R | R | A | A | A | A | R | R | R | R | A | R |
| warm_restart | R | R | A | A | A | A | R | R | R | R | A | R |
| finish_from_checkpoint | R | R | A | A | A | A | R | N | R | R | A | R |
| abort | A | A | A | A | A | A | A | A | N | R | R | N |
`;

const [states = [], ...rows] = specified
  .trim()
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("admission of an action in a state", () => {
  it("knows every action and every state of the specification, and no other", () => {
    expect(rows.map(([action]) => action)).toEqual([...actions]);
    expect(states.slice(1)).toEqual([...jobStates]);
  });

  for (const action of actions) {
    const cells = rows.find(([name]) => name === action)?.slice(1) ?? [];
    for (const [column, state] of jobStates.entries()) {
      it(`answers ${cells[column]} to ${action} while ${state}`, () => {
        expect(admissionOf(action, state)).toBe(cells[column]);
      });
    }
  }
});

describe("an accepted action", () => {
  for (const action of actions) {
    for (const state of jobStates.filter((state) => admissionOf(action, state) === "A")) {
      it(`can be acknowledged: ${action} while ${state}`, () => {
        expect(canHaveApplied(action, state)).toBe(true);
      });
    }
    it(`leads to a state in which the job rests: ${action}`, () => {
      expect(["running", "paused", "completed", "aborted"]).toContain(stateAfter(action));
    });
  }
});
