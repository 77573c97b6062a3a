import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import {
  type ApiKey,
  apiKeyPattern,
  generateApiKey,
  isWellFormedApiKey,
  looksLikeApiKey,
  refusalOfKey,
  toTheMinute,
} from "./api-key.ts";

describe("a generated key", () => {
  it("has the shape that secret scanners match, and a checksum that holds", () => {
    for (let round = 0; round < 200; round++) {
      const key = generateApiKey(randomBytes);
      expect(key).toMatch(apiKeyPattern);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
  });

  it("skips the bytes that would favour some letters, and asks for more", () => {
    const rounds = [new Uint8Array(33).fill(255), new Uint8Array(33).fill(61)];
    const key = generateApiKey(() => rounds.shift() ?? new Uint8Array());
    expect(key.slice(4, 37)).toBe("z".repeat(33));
  });
});

describe("a text that is not a key", () => {
  const key = generateApiKey(randomBytes);
  const swapped = key.slice(0, 10) + (key[10] === "a" ? "b" : "a") + key.slice(11);
  it.each([
    ["truncated", key.slice(0, -1)],
    ["with a letter too many", `${key}x`],
    ["with one letter changed", swapped],
    ["with its case changed", `aip_${key.slice(4).toLowerCase()}X`.slice(0, key.length)],
    ["without its prefix", key.slice(4)],
    ["with another prefix", `AIP_${key.slice(4)}`],
    ["with a line break at its end", `${key}\n`],
    ["the prefix alone", "aip_"],
    ["empty", ""],
  ])("is recognised: %s", (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  it("still claims to be one when it carries the prefix", () => {
    expect(looksLikeApiKey(swapped)).toBe(true);
    expect(looksLikeApiKey("eyJhbGciOiJSUzI1NiJ9.e30.c2ln")).toBe(false);
  });
});

describe("what a stored key opens", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const key: ApiKey = {
    id: "k",
    organisationId: "o",
    name: "n",
    lastFour: "abcd",
    permissionIds: [],
    createdAt: now,
    expiresAt: undefined,
    lastUsedAt: undefined,
    revokedAt: undefined,
  };
  it.each([
    ["without an end", {}, undefined],
    ["before its end", { expiresAt: new Date(now.getTime() + 1) }, undefined],
    ["at its end", { expiresAt: now }, "CREDENTIAL_EXPIRED"],
    ["revoked", { revokedAt: now }, "CREDENTIAL_REVOKED"],
    ["revoked and past its end", { revokedAt: now, expiresAt: now }, "CREDENTIAL_REVOKED"],
  ])("%s", (_, change, refusal) => {
    expect(refusalOfKey({ ...key, ...change }, now)).toBe(refusal);
  });

  it("is last used at the start of a minute", () => {
    expect(toTheMinute(new Date("2026-11-21T10:00:59.999Z"))).toEqual(now);
  });
});
