import { describe, expect, it } from "vitest";
import { hubUsername, initialsOf, userOfHub } from "./notebook-user.ts";

describe("the name at the hub", () => {
  const member = "019a7c5e-0000-7000-8000-000000000001";
  const key = "019a7c5e-0000-7000-8000-000000000002";

  it("is the member's, whatever the credential", () => {
    const names = [`https://issuer.test ada`, key].map((credentialId) =>
      hubUsername({ memberId: member, credentialId }),
    );
    expect(names).toEqual([`member-${member}`, `member-${member}`]);
  });

  it("is the key's own where no member acts", () => {
    expect(hubUsername({ credentialId: key })).toBe(`key-${key}`);
  });

  it("leads back to the member or the key", () => {
    expect(userOfHub(hubUsername({ memberId: member, credentialId: key }))).toEqual({ memberId: member });
    expect(userOfHub(hubUsername({ credentialId: key }))).toEqual({ apiKeyId: key });
  });

  it.each([
    "key-operator",
    "member-",
    member,
    `admin-${member}`,
    `member-${member}x`,
    `member-${member.toUpperCase()}`,
  ])("is none of ours: %s", (username) => {
    expect(userOfHub(username)).toBeUndefined();
  });
});

describe("the initials of", () => {
  it.each([
    ["Ada Lovelace", "AL"],
    ["ada", "A"],
    ["Augusta Ada King", "AK"],
    ["  (ada)  'lovelace' ", "AL"],
    ["Élodie Ångström", "ÉÅ"],
    ["李 小龙", "李小"],
    ["𝒜da 𝓑", "𝒜𝓑"],
    ["7 of 9", "79"],
    ["- …", undefined],
    ["", undefined],
  ])("%j are %j", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
