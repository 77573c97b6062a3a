import { describe, expect, it } from "@jest/globals";
import { assertAllFound, permissionsOf, RoleNotFoundError, withoutRepeats } from "./role.ts";
import { isSystemSlug, systemRolesOf } from "./system-roles.ts";

const catalogue = new Set(["organisations:manage", "roles:manage", "metrics:read", "training:override"]);

describe("system roles", () => {
  it.each([
    ["administrator", ["metrics:read", "roles:manage", "training:override"]],
    ["engineer", ["training:write", "training:command", "metrics:read"]],
    ["supervisor", ["training:command", "training:override", "metrics:read"]],
    ["trainer", ["metrics:report", "metrics:read"]],
    ["viewer", ["metrics:read"]],
  ])("%s grants %j", (slug, permissions) => {
    const role = systemRolesOf("acme", catalogue).find((one) => one.slug === slug);
    expect(role).toMatchObject({ organisationId: "acme", isSystem: true, permissionIds: permissions });
    expect(isSystemSlug(slug)).toBe(true);
  });

  it("leave every other slug to the organisations", () => {
    expect(isSystemSlug("reviewer")).toBe(false);
  });
});

describe("holding roles", () => {
  it("adds their permissions up", () => {
    const roles = [{ permissionIds: ["a", "b"] }, { permissionIds: ["b", "c"] }];
    expect(permissionsOf(roles)).toEqual(new Set(["a", "b", "c"]));
  });

  it("needs every role to exist", () => {
    expect(() => assertAllFound(["a"], [{ id: "a" }])).not.toThrow();
    expect(() => assertAllFound(["a", "b"], [{ id: "a" }])).toThrow(RoleNotFoundError);
  });

  it("collapses repeats and keeps the order", () => {
    expect(withoutRepeats(["b", "a", "b"])).toEqual(["b", "a"]);
  });
});
