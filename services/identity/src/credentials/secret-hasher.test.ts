import { describe, expect, it } from "vitest";
import { createSecretHasher } from "./secret-hasher.ts";

describe("hashing a secret", () => {
  const hasher = createSecretHasher("an installation secret of some length");

  it("gives the same hash for the same secret, so that it can be looked up", () => {
    expect(hasher.hash("aip_one")).toBe(hasher.hash("aip_one"));
    expect(hasher.hash("aip_one")).not.toBe(hasher.hash("aip_two"));
  });

  it("gives another hash under another installation secret", () => {
    expect(createSecretHasher("another installation secret, as long").hash("aip_one")).not.toBe(hasher.hash("aip_one"));
  });

  it.each([
    ["the same", "aip_one", true],
    ["another", "aip_onf", false],
    ["an empty one", "", false],
  ])("tells the secret from %s", (_, shown, expected) => {
    expect(hasher.matches(shown, hasher.hash("aip_one"))).toBe(expected);
  });

  it("refuses a hash that is cut short instead of failing", () => {
    expect(hasher.matches("aip_one", hasher.hash("aip_one").slice(0, 20))).toBe(false);
  });
});
