import { describe, expect, it } from "vitest";
import { addedTo, assertAllFound, permissionsOf, RoleNotFoundError, readRole, unique } from "./role.ts";
import { isSystemSlug, systemRolesOf } from "./system-roles.ts";

const catalogue = new Set(["organisations:manage", "roles:manage", "metrics:read", "training:override"]);

describe("system roles", () => {
  it.each([
    ["administrator", ["metrics:read", "roles:manage", "training:override"]],
    [
      "engineer",
      [
        "training:write",
        "training:command",
        "metrics:read",
        "workspaces:read",
        "dictionary:read",
        "data:read",
        "automations:read",
        "features:read",
        "quotas:read",
        "workspaces:manage",
        "dictionary:write",
        "data:write",
        "automations:write",
        "automations:run",
        "emails:write",
        "emails:send",
        "features:write",
        "features:delete",
        "models:read",
        "deployments:read",
        "models:write",
        "deployments:write",
        "deployments:promote",
        "deployments:predict",
        "oauth:link",
        "notebooks:use",
      ],
    ],
    [
      "supervisor",
      [
        "training:command",
        "training:override",
        "metrics:read",
        "workspaces:read",
        "dictionary:read",
        "data:read",
        "automations:read",
        "features:read",
        "quotas:read",
        "models:read",
        "deployments:read",
      ],
    ],
    ["trainer", ["metrics:report", "metrics:read"]],
    [
      "viewer",
      [
        "metrics:read",
        "workspaces:read",
        "dictionary:read",
        "data:read",
        "automations:read",
        "features:read",
        "quotas:read",
        "models:read",
        "deployments:read",
      ],
    ],
  ])("%s grants %j", (slug, permissions) => {
    const role = systemRolesOf("acme", catalogue).find((one) => one.slug === slug);
    expect(role).toMatchObject({ organisationId: "acme", isSystem: true, permissionIds: permissions });
    expect(isSystemSlug(slug)).toBe(true);
  });

  it("stand in a list in the order of their ids, before all others", () => {
    const roles = systemRolesOf("acme", catalogue);
    expect(roles.map(({ id }) => id)).toEqual(roles.map(({ id }) => id).sort());
    expect(new Set(roles.map(({ createdAt }) => createdAt.getTime()))).toEqual(new Set([0]));
  });

  it("leave every other slug to the organisations", () => {
    expect(isSystemSlug("reviewer")).toBe(false);
  });
});

describe("a role that is asked for", () => {
  const read = (name: string, permissionIds: string[]) => readRole(catalogue, { name, permissionIds });

  it("keeps its name without the blanks around it, and each permission once, in order", () => {
    const permissionIds = ["roles:manage", "metrics:read", "roles:manage"];
    expect(read(" \tData  stewards\u00a0", permissionIds)).toEqual({
      name: "Data  stewards",
      permissionIds: ["roles:manage", "metrics:read"],
    });
  });

  it.each([
    ["a name of blanks", " \u2003\n", [], ["name"]],
    ["unknown permissions", "X", ["a:b", "metrics:read", "c:d"], ["permission_ids[0]", "permission_ids[2]"]],
    ["both", "", ["a:b"], ["name", "permission_ids[0]"]],
  ])("is told all that is wrong with it: %s", (_, name, permissionIds, fields) => {
    const violations = fields.map((field) => expect.objectContaining({ field }));
    expect(() => read(name, permissionIds)).toThrow(expect.objectContaining({ violations }));
  });
});

describe("changing what a role grants", () => {
  it.each([
    [
      ["a", "b"],
      ["b", "c", "d"],
      ["c", "d"],
    ],
    [["a"], ["a"], []],
    [["a"], [], []],
  ])("from %j to %j adds %j", (permissionIds, wanted, added) => {
    expect(addedTo({ permissionIds }, wanted)).toEqual(added);
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
    expect(unique(["b", "a", "b"])).toEqual(["b", "a"]);
  });
});
