import { describe, expect, it } from "vitest";
import type { Feature } from "./feature.ts";
import { deprecated, effectOfDeletion, impactMessage, restored } from "./feature-deletion.ts";

const [made, later] = [new Date(1_000), new Date(2_000)];
const feature: Feature = {
  id: "f",
  organisationId: "o",
  key: "age",
  description: "",
  usageNotes: "",
  status: "active",
  version: 3,
  ownerMemberId: undefined,
  replacementKey: undefined,
  createdAt: made,
  updatedAt: made,
  deprecatedAt: undefined,
};

describe("deleting a feature", () => {
  it.each([
    ["active", "in use", "not kept", "deprecate"],
    ["active", "in use", "kept", "deprecate"],
    ["active", "unused", "not kept", "delete"],
    ["active", "unused", "kept", "deprecate"],
    ["deprecated", "in use", "not kept", "nothing"],
    ["deprecated", "in use", "kept", "nothing"],
    ["deprecated", "unused", "not kept", "delete"],
    ["deprecated", "unused", "kept", "nothing"],
  ] as const)("that is %s, %s and to be %s: %s", (status, use, wish, effect) => {
    expect(effectOfDeletion({ status, isUsed: use === "in use", keep: wish === "kept" })).toBe(effect);
  });
});

describe("a feature", () => {
  it("gets another version by being deprecated, and another by being restored", () => {
    const old = deprecated(feature, later);
    expect(old).toEqual({ ...feature, status: "deprecated", version: 4, updatedAt: later, deprecatedAt: later });
    expect(restored(old, later)).toEqual({ ...feature, version: 5, updatedAt: later });
  });

  it("that is active is not restored", () => {
    expect(restored(feature, later)).toBe(feature);
  });
});

describe("the warning", () => {
  it.each([
    ["delete", 0, false, 'Nothing uses the feature "age": it is deleted.'],
    ["delete", 0, true, 'Nothing uses the feature "age": it would be deleted.'],
    ["deprecate", 0, false, 'Nothing uses the feature "age": it is deprecated, not deleted.'],
    ["deprecate", 1, false, '1 asset uses the feature "age": it is deprecated, not deleted.'],
    ["deprecate", 1_204, true, '1204 assets use the feature "age": it would be deprecated, not deleted.'],
    ["nothing", 2, false, '2 assets use the feature "age": it stays deprecated.'],
    ["nothing", 2, true, '2 assets use the feature "age": it would stay deprecated.'],
  ] as const)("of %s with %d assets (dry run: %s) reads: %s", (effect, total, dryRun, message) => {
    expect(impactMessage("age", { effect, total, dryRun })).toBe(message);
  });
});
