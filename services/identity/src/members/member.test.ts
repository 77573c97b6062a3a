import { describe, expect, it } from "vitest";
import { administratorRoleId } from "../roles/system-roles.ts";
import { isAdministrator, newMember, sameRoles } from "./member.ts";

const made = { id: "m", organisationId: "o", roleIds: ["r"], createdAt: new Date(0) };
const ada = { displayName: "Ada", email: "Ada@Example.COM", issuer: "https://id.example.com", subject: "ada" };

describe("a new member", () => {
  it("is active, and its e-mail address is in lower case", () => {
    expect(newMember(ada, made)).toEqual({
      ...made,
      ...ada,
      email: "ada@example.com",
      status: "active",
      lastSeenAt: undefined,
      emailOptedOut: false,
    });
  });

  it("is invited as long as no issuer knows them", () => {
    expect(newMember({ ...ada, issuer: "", subject: "" }, made)).toMatchObject({ subject: "", status: "invited" });
  });

  it.each(["issuer", "subject"] as const)("cannot lack the %s alone", (field) => {
    expect(() => newMember({ ...ada, [field]: "" }, made)).toThrow(expect.objectContaining({ field }));
  });
});

describe("who administers an organisation, or is invited to", () => {
  it.each([
    ["active", [administratorRoleId], true],
    ["active", ["other", administratorRoleId], true],
    ["active", ["other"], false],
    ["active", [], false],
    ["invited", [administratorRoleId], true],
    ["invited", ["other"], false],
    ["inactive", [administratorRoleId], false],
  ] as const)("%s with roles %j: %s", (status, roleIds, expected) => {
    expect(isAdministrator({ status, roleIds: [...roleIds] })).toBe(expected);
  });
});

describe("comparing roles", () => {
  it.each([
    [["a", "b"], ["b", "a"], true],
    [["a", "a", "b"], ["a", "b"], true],
    [[], [], true],
    [["a"], ["a", "b"], false],
    [["a"], ["b"], false],
  ])("%j and %j: %s", (one, other, expected) => {
    expect(sameRoles(one, other)).toBe(expected);
    expect(sameRoles(other, one)).toBe(expected);
  });
});
