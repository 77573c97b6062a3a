import { describe, expect, it } from "vitest";
import { combineCredentials, type VerifiedCredential } from "./verified-credential.ts";

const bearer: VerifiedCredential = {
  organisationId: "acme",
  memberId: "ada",
  permissions: new Set(["metrics:read", "training:command"]),
  credentialId: "https://id ada",
  expiresAt: new Date(2000),
};
const key: VerifiedCredential = {
  organisationId: "acme",
  memberId: undefined,
  permissions: new Set(["metrics:report", "training:command"]),
  credentialId: "key",
  expiresAt: undefined,
};

describe("a bearer token with an API key beside it", () => {
  it("acts for the bearer's member, and may do what both may", () => {
    expect(combineCredentials(bearer, key)).toEqual({
      organisationId: "acme",
      memberId: "ada",
      permissions: new Set(["training:command"]),
      credentialId: "https://id ada key",
      expiresAt: new Date(2000),
    });
  });

  it.each([
    ["the token", new Date(1), new Date(2), new Date(1)],
    ["the key", new Date(2), new Date(1), new Date(1)],
    ["the only one that ends", undefined, new Date(3), new Date(3)],
    ["neither", undefined, undefined, undefined],
  ])("ends with %s", (_, tokenEnd, keyEnd, expected) => {
    const both = combineCredentials({ ...bearer, expiresAt: tokenEnd }, { ...key, expiresAt: keyEnd });
    expect(both.expiresAt).toEqual(expected);
  });

  it("is refused when they are of different organisations", () => {
    const refusal = expect.objectContaining({ reason: "CREDENTIALS_DISAGREE" });
    expect(() => combineCredentials(bearer, { ...key, organisationId: "globex" })).toThrow(refusal);
    expect(() => combineCredentials({ ...bearer, organisationId: "" }, key)).toThrow(refusal);
  });
});

describe("one key in both places", () => {
  it("is that key", () => {
    expect(combineCredentials(key, key)).toBe(key);
  });
});
