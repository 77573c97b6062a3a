import { describe, expect, it } from "vitest";
import { deletionOf, usageAddress, userCount } from "./deletion.ts";

describe("asking for the deletion of a feature", () => {
  it.each([
    ["active", true, false, "deprecate"],
    ["active", true, true, "deprecate"],
    ["active", false, false, "delete"],
    ["active", false, true, "deprecate"],
    ["deprecated", true, false, "nothing"],
    ["deprecated", true, true, "nothing"],
    ["deprecated", false, false, "delete"],
    ["deprecated", false, true, "nothing"],
  ] as const)("that is %s, used: %s, kept: %s → %s", (status, isUsed, keep, deletion) => {
    expect(deletionOf(status, { isUsed, keep })).toBe(deletion);
  });
});

describe("what uses a feature", () => {
  it.each([
    ["1 asset uses the feature", 1, 1],
    ["1200 assets use the feature", 1000, 1200],
    ["Nothing uses the feature", 0, 0],
  ])("is counted by the API, also beyond the list: %s", (message, listed, count) => {
    expect(userCount(message, listed)).toBe(count);
  });

  it.each([
    ["model", "m", "/models/m"],
    ["automation", "a/b", "/automations/a%2Fb"],
    ["notebook", "n", undefined],
  ])("has a page where the console shows it: a %s", (type, id, address) => {
    expect(usageAddress(type, id)).toBe(address);
  });
});
