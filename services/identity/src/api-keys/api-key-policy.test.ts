import { describe, expect, it } from "vitest";
import { endUnder, lifetimeProblems } from "./api-key-policy.ts";

const now = new Date("2026-03-02T09:00:00Z");
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const hour = { maxLifetimeSeconds: 3_600 };
const none = { maxLifetimeSeconds: undefined };

describe("the end of a key that is made now", () => {
  it.each([
    ["without a maximum and without a wish, never", none, undefined, undefined],
    ["without a maximum, as wanted", none, inSeconds(9_999), inSeconds(9_999)],
    ["without a wish, the maximum", hour, undefined, inSeconds(3_600)],
    ["within the maximum, as wanted", hour, inSeconds(60), inSeconds(60)],
    ["beyond it, the maximum", hour, inSeconds(3_601), inSeconds(3_600)],
  ])("is %s", (_, policy, expiresAt, end) => {
    expect(endUnder(policy, { expiresAt, now })).toEqual(end);
  });
});

describe("a wish for an end", () => {
  it.each([
    ["without a maximum", none, inSeconds(9_999)],
    ["at the maximum", hour, inSeconds(3_600)],
    ["that is none", hour, undefined],
  ])("%s has no problem", (_, policy, expiresAt) => {
    expect(lifetimeProblems(policy, { expiresAt, now })).toEqual([]);
  });

  it("beyond the maximum names field, rule and number", () => {
    expect(lifetimeProblems(hour, { expiresAt: inSeconds(3_601), now })).toEqual([
      {
        field: "expires_at",
        reason: "EXPIRY_TOO_LATE",
        description: "must lie within 3600 seconds: the organisation's keys live no longer",
      },
    ]);
  });
});
