import { describe, expect, it } from "vitest";
import { hubTokenOf, isOfNotebook, looksLikeNotebook, notebookCredentialId } from "./notebook-credential.ts";

const token = "0123456789abcdef0123456789abcdef";

describe("the bearer of a notebook server", () => {
  it("holds the hub's token", () => {
    expect([looksLikeNotebook(`ain_${token}`), hubTokenOf(`ain_${token}`)]).toEqual([true, token]);
  });

  it.each([
    ["without a token", "ain_"],
    ["that is cut", "ain_0123456789abcde"],
    ["that is longer than any token", `ain_${"a".repeat(256)}`],
    ["with what no token has", `ain_${token}/../users`],
    ["with a line end", `ain_${token}\n`],
  ])("%s looks like one and is none", (_, bearer) => {
    expect([looksLikeNotebook(bearer), hubTokenOf(bearer)]).toEqual([true, undefined]);
  });

  it("is told from API keys and delegations", () => {
    expect([`aip_${token}`, `aid_${token}`, token, ""].map(looksLikeNotebook)).toEqual([false, false, false, false]);
  });
});

describe("the id of such a credential", () => {
  it.each([
    [notebookCredentialId("member-m1/"), true],
    ["m1", false],
    ["https://issuer.example notebook:member-m1/", false],
  ])("%s: %s", (credentialId, expected) => {
    expect(isOfNotebook(credentialId)).toBe(expected);
  });
});
