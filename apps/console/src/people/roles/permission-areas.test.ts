import { describe, expect, it } from "vitest";
import { permissionAreas, rpcNames, slugOf } from "./permission-areas.ts";

describe("permissions", () => {
  it("stand together by area, in alphabetical order and once each", () => {
    expect(permissionAreas(["roles:manage", "models:write", "models:read", "roles:manage"])).toEqual([
      { area: "models", permissions: ["models:read", "models:write"] },
      { area: "roles", permissions: ["roles:manage"] },
    ]);
  });

  it("say what they open by the names of RPCs", () => {
    expect(rpcNames(["identity.v1.RoleService/CreateRole", "identity.v1.RoleService/ListRoles"])).toBe(
      "CreateRole, ListRoles",
    );
  });
});

describe("the slug of a role", () => {
  it.each([
    ["Data stewards", "data-stewards"],
    ["  Prüfer & Leser! ", "prufer-leser"],
    ["!!!", ""],
    ["a".repeat(80), "a".repeat(63)],
  ])("follows from its name: %s", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
