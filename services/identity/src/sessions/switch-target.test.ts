import { describe, expect, it } from "vitest";
import { speaksFor } from "./switch-target.ts";

const issuers = [
  { issuer: "https://all.test", organisation: undefined },
  { issuer: "https://acme.test", organisation: "acme" },
  { issuer: "https://by-id.test", organisation: "019c6b7e-0000-7000-8000-00000000000a" },
];
const acme = { id: "019c6b7e-0000-7000-8000-00000000000a", slug: "acme" };
const globex = { id: "019c6b7e-0000-7000-8000-00000000000b", slug: "globex" };

describe("an identity provider", () => {
  it.each([
    ["of every organisation", "https://all.test", globex, true],
    ["of one, by its slug", "https://acme.test", acme, true],
    ["of one, by its id", "https://by-id.test", acme, true],
    ["of one, in another", "https://acme.test", globex, false],
    ["that is not configured", "https://unknown.test", acme, false],
  ])("%s", (_, issuer, organisation, speaks) => {
    expect(speaksFor(issuers, issuer, organisation)).toBe(speaks);
  });
});
