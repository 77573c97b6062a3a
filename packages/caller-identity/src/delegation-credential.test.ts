import { describe, expect, it } from "vitest";
import {
  delegationCredential,
  delegationCredentialId,
  isDelegated,
  looksLikeDelegation,
  verifiedDelegation,
} from "./delegation-credential.ts";

const secret = "a secret that two services share, of some length";
const delegation = {
  organisationId: "0190c0de-0000-7000-8000-000000000001",
  delegationId: "0190c0de-0000-7000-8000-000000000002",
};
const bearer = delegationCredential(secret, delegation);
const [organisation = "", id = "", proof = ""] = bearer.slice("aid_".length).split(".");

describe("the credential of a delegation", () => {
  it("names the delegation, and is found good by who has the secret", () => {
    expect([organisation, id]).toEqual([delegation.organisationId, delegation.delegationId]);
    expect(verifiedDelegation(secret, bearer)).toEqual(delegation);
  });

  it("names what it is for, where it is bound to that", () => {
    const bound = { ...delegation, digest: "0".repeat(64) };
    const shown = delegationCredential(secret, bound);
    expect(verifiedDelegation(secret, shown)).toEqual(bound);
    expect(verifiedDelegation(secret, shown.replace("0".repeat(64), "1".repeat(64)))).toBeUndefined();
    expect(verifiedDelegation(secret, shown.replace(`.${"0".repeat(64)}`, ""))).toBeUndefined();
  });

  it("is the same each time, so that it need not be kept", () => {
    expect(delegationCredential(secret, delegation)).toBe(bearer);
  });

  it.each([
    ["made with another secret", delegationCredential("another secret of two services, as long", delegation)],
    ["with the organisation of another", `aid_${id}.${id}.${proof}`],
    ["with the id of another", `aid_${organisation}.${organisation}.${proof}`],
    ["with organisation and id exchanged", `aid_${id}.${organisation}.${proof}`],
    ["with one letter of the proof changed", bearer.slice(0, -2) + (bearer.at(-2) === "A" ? "B" : "A") + bearer.at(-1)],
    ["that is cut", bearer.slice(0, -1)],
    ["that is longer", `${bearer}A`],
    ["without proof", `aid_${organisation}.${id}.`],
    ["without anything", "aid_"],
    ["with a line end", `${bearer}\n`],
    ["without its beginning", bearer.slice("aid_".length)],
  ])("%s is none", (_, shown) => {
    expect(verifiedDelegation(secret, shown)).toBeUndefined();
  });
});

describe("what begins like one", () => {
  it.each([
    ["one", bearer, true],
    ["a bad one", "aid_", true],
    ["an API key", "aip_0123456789", false],
    ["nothing", "", false],
  ])("is told from other bearers: %s", (_, shown, expected) => {
    expect(looksLikeDelegation(shown)).toBe(expected);
  });
});

describe("the id of such a credential", () => {
  it.each([
    [delegationCredentialId("d1"), true],
    ["d1", false],
    ["https://issuer.example delegation:d1", false],
  ])("%s: %s", (credentialId, expected) => {
    expect(isDelegated(credentialId)).toBe(expected);
  });
});
