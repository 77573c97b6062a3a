import { describe, expect, it } from "vitest";
import { stateAfter } from "./organisation-state.ts";

describe("the state of an organisation", () => {
  it.each([
    ["active", "suspend", "suspended"],
    ["suspended", "suspend", "suspended"],
    ["suspended", "restore", "active"],
    ["active", "restore", "active"],
  ] as const)("that is %s is, after %s, %s", (state, move, expected) => {
    expect(stateAfter(state, move)).toBe(expected);
  });
});
