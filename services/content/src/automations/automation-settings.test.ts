import { describe, expect, it } from "vitest";
import { type AutomationSettings, changedSettings, initialSettings, settingsAfterRun } from "./automation-settings.ts";

const settings = (given: Partial<AutomationSettings> = {}): AutomationSettings => ({ ...initialSettings, ...given });
const failed = (given: Partial<AutomationSettings>) => settingsAfterRun(settings(given), "failed");

describe("a run that failed", () => {
  it("is counted", () => {
    expect(failed({ failuresInARow: 1 })).toMatchObject({ failuresInARow: 2, enabled: true });
  });

  it("disables the automation when it is the last that it may have", () => {
    const after = failed({ failuresInARow: 4 });
    expect(after).toMatchObject({ failuresInARow: 5, enabled: false, disabledReason: "5 runs in a row failed" });
  });

  it("disables nothing where failures do not matter", () => {
    expect(failed({ failuresUntilDisabled: 0, failuresInARow: 99 })).toMatchObject({ enabled: true });
  });

  it("gives no reason to an automation that a caller has disabled", () => {
    const after = failed({ enabled: false, failuresInARow: 7 });
    expect(after).toMatchObject({ enabled: false, disabledReason: undefined, failuresInARow: 8 });
  });
});

describe("a run that succeeded", () => {
  it("ends the row", () => {
    expect(settingsAfterRun(settings({ failuresInARow: 3 }), "succeeded")).toEqual(settings());
  });
});

describe("a change", () => {
  it("leaves what it does not name", () => {
    const before = settings({ ownerMemberId: "ada", failuresInARow: 2 });
    expect(changedSettings(before, { draftsForOwner: true })).toEqual({ ...before, draftsForOwner: true });
  });

  it("that enables forgets the failures and the reason", () => {
    const before = settings({ enabled: false, disabledReason: "5 runs in a row failed", failuresInARow: 5 });
    expect(changedSettings(before, { enabled: true })).toEqual(settings());
  });
});
