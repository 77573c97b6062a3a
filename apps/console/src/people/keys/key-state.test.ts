import { describe, expect, it } from "vitest";
import { endOfDay, isUsable, keyState, lifetimeText, rotateObjection } from "./key-state.ts";

const now = Date.parse("2026-03-02T09:00:00.000Z");
const past = "2026-03-02T08:59:59.000Z";
const future = "2026-03-02T09:00:01.000Z";
const plain = { revoked_at: null, expires_at: null, replaced_by_id: null };

describe("an API key", () => {
  it.each([
    ["active", plain, true],
    ["active", { ...plain, expires_at: future }, true],
    ["ending", { ...plain, expires_at: future, replaced_by_id: "next" }, true],
    ["expired", { ...plain, expires_at: past }, false],
    ["expired", { ...plain, expires_at: past, replaced_by_id: "next" }, false],
    ["revoked", { ...plain, expires_at: past, revoked_at: past }, false],
  ] as const)("is %s", (state, key, usable) => {
    expect([keyState(key, now), isUsable(key, now)]).toEqual([state, usable]);
  });

  it.each([
    ["active", undefined],
    ["ending", "It was rotated before. Rotate the key that replaced it."],
    ["expired", "It is expired. Create a new key."],
    ["revoked", "It is revoked. Create a new key."],
  ] as const)("that is %s says whether it can be rotated", (state, objection) => {
    expect(rotateObjection(state)).toBe(objection);
  });
});

describe("how long a key lives", () => {
  it.each([
    [31_536_000, "1 year"],
    [7_776_000, "90 days"],
    [86_400, "1 day"],
    [5_400, "90 minutes"],
    [3_601, "3601 seconds"],
  ])("is said in whole units: %i s", (seconds, text) => {
    expect(lifetimeText(seconds)).toBe(text);
  });

  it("is until the end of the day that was chosen", () => {
    expect(new Date(endOfDay("2026-12-31")).getTime()).toBe(new Date(2027, 0, 1).getTime());
  });
});
