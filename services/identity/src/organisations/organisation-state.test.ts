import { describe, expect, it } from "vitest";
import {
  OrganisationDeletedError,
  OrganisationNotDeletingError,
  OrganisationNotSuspendedError,
  stateAfter,
} from "./organisation-state.ts";

describe("the state of an organisation", () => {
  it.each([
    ["active", "suspend", "suspended"],
    ["suspended", "suspend", "suspended"],
    ["suspended", "restore", "active"],
    ["active", "restore", "active"],
    ["active", "setQuotas", "active"],
    ["suspended", "setQuotas", "suspended"],
    ["suspended", "delete", "deleting"],
    ["deleting", "delete", "deleting"],
    ["deleted", "delete", "deleted"],
    ["deleting", "finish", "deleted"],
    ["deleted", "finish", "deleted"],
  ] as const)("that is %s is, after %s, %s", (state, move, expected) => {
    expect(stateAfter(state, move)).toBe(expected);
  });

  it.each([
    ["active", "delete", OrganisationNotSuspendedError],
    ["deleting", "suspend", OrganisationDeletedError],
    ["deleted", "suspend", OrganisationDeletedError],
    ["deleting", "restore", OrganisationDeletedError],
    ["deleted", "restore", OrganisationDeletedError],
    ["deleting", "setQuotas", OrganisationDeletedError],
    ["deleted", "setQuotas", OrganisationDeletedError],
    ["active", "finish", OrganisationNotDeletingError],
    ["suspended", "finish", OrganisationNotDeletingError],
  ] as const)("that is %s refuses to %s", (state, move, refusal) => {
    expect(() => stateAfter(state, move)).toThrow(refusal);
  });
});
