import { describe, expect, it } from "vitest";
import { changesOf } from "./settings-form.ts";

const settings = {
  automation_id: "a",
  enabled: true,
  disabled_reason: null,
  failures_until_disabled: 5,
  failures_in_a_row: 0,
  next_run_at: null,
  owner_member_id: null,
  drafts_for_owner: false,
};

describe("the form of an automation's settings", () => {
  it.each([
    ["nothing", {}, {}],
    ["whether it is enabled", { enabled: false }, { enabled: false }],
    ["a number", { failures: "0" }, { failures_until_disabled: 0 }],
    ["what is no number, which is refused", { failures: "many" }, { failures_until_disabled: -1 }],
    ["an empty number, which is refused", { failures: " " }, { failures_until_disabled: -1 }],
    ["an owner", { owner: " m " }, { owner_member_id: "m" }],
    ["no owner, which cannot be said", { owner: " " }, {}],
    ["drafts", { drafts: true }, { drafts_for_owner: true }],
  ])("sends what differs: %s", (_what, typed, changes) => {
    expect(changesOf(typed, settings)).toEqual(changes);
  });

  it("leaves what someone else has changed since it was opened", () => {
    const disabledMeanwhile = { ...settings, enabled: false, owner_member_id: "m" };
    expect(changesOf({ failures: "0" }, disabledMeanwhile)).toEqual({ failures_until_disabled: 0 });
  });
});
