import { describe, expect, it } from "vitest";
import { assertMayGrant, GrantExceedsCallerError, unknownPermissions } from "./grant.ts";

describe("granting permissions", () => {
  const held = new Set(["metrics:read", "roles:manage"]);

  it.each([[[]], [["metrics:read"]], [["roles:manage", "metrics:read"]]])("allows %j to who holds them", (wanted) => {
    expect(() => assertMayGrant(held, wanted)).not.toThrow();
  });

  it("names the first that the granter lacks", () => {
    const grant = () => assertMayGrant(held, ["metrics:read", "training:command", "training:override"]);
    expect(grant).toThrow(new GrantExceedsCallerError("training:command"));
  });
});

describe("permissions of a request", () => {
  const catalogue = new Set(["metrics:read"]);

  it.each([
    ["that exist", ["metrics:read", "metrics:read"], []],
    ["one of which does not exist", ["metrics:read", "metrics:write"], ["permission_ids[1]"]],
    ["several of which do not exist", ["a:b", "metrics:read", "a:b"], ["permission_ids[0]", "permission_ids[2]"]],
    ["in other letters", ["Metrics:read"], ["permission_ids[0]"]],
    ["one of which is empty", [""], ["permission_ids[0]"]],
    [
      "one of which is a property of every object",
      ["__proto__", "constructor"],
      ["permission_ids[0]", "permission_ids[1]"],
    ],
  ])("%s: %j", (_, wanted, fields) => {
    expect(unknownPermissions(catalogue, wanted).map(({ field }) => field)).toEqual(fields);
  });
});
