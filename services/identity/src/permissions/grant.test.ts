import { describe, expect, it } from "@jest/globals";
import { assertKnown, assertMayGrant, GrantExceedsCallerError, UnknownPermissionError } from "./grant.ts";

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
    ["one that does not exist", ["metrics:read", "metrics:write"], "permission_ids[1]"],
    ["one in other letters", ["Metrics:read"], "permission_ids[0]"],
    ["an empty one", [""], "permission_ids[0]"],
  ])("points at %s", (_, wanted, field) => {
    const check = () => assertKnown(catalogue, wanted);
    expect(check).toThrow(UnknownPermissionError);
    expect(check).toThrow(expect.objectContaining({ field }));
  });
});
