import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type ApiKey,
  apiKeyPattern,
  assertRotatable,
  endOfOverlap,
  expiryProblems,
  generateApiKey,
  isWellFormedApiKey,
  looksLikeApiKey,
  refusalOfKey,
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

const now = new Date("2026-11-21T10:00:00Z");
const inMs = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const stored: ApiKey = {
  id: "k",
  organisationId: "o",
  name: "n",
  lastFour: "abcd",
  permissionIds: [],
  createdAt: now,
  expiresAt: undefined,
  lastUsedAt: undefined,
  revokedAt: undefined,
  createdByMemberId: undefined,
  replacedById: undefined,
};

describe("what a stored key opens", () => {
  it.each([
    ["without an end", {}, undefined],
    ["before its end", { expiresAt: inMs(1) }, undefined],
    ["at its end", { expiresAt: now }, "CREDENTIAL_EXPIRED"],
    ["revoked", { revokedAt: now }, "CREDENTIAL_REVOKED"],
    ["revoked and past its end", { revokedAt: now, expiresAt: now }, "CREDENTIAL_REVOKED"],
    ["replaced, before its end", { replacedById: "l", expiresAt: inMs(1) }, undefined],
  ])("%s", (_, change, refusal) => {
    expect(refusalOfKey({ ...stored, ...change }, now)).toBe(refusal);
  });
});

describe("the end that a new key is to have", () => {
  it.each([
    ["none", undefined, undefined],
    ["a moment from now", inMs(1), undefined],
    ["now", now, "EXPIRY_IN_PAST"],
    ["long ago", new Date(0), "EXPIRY_IN_PAST"],
    ["the last that can be written", new Date("9999-12-31T23:59:59.999Z"), undefined],
    ["beyond what can be written", new Date(8.64e15), "EXPIRY_OUT_OF_RANGE"],
    ["no time at all", new Date(Number.NaN), "EXPIRY_OUT_OF_RANGE"],
  ])("%s", (_, expiresAt, reason) => {
    expect(expiryProblems(expiresAt, now).map((problem) => problem.reason)).toEqual(reason ? [reason] : []);
  });
});

describe("rotating a key", () => {
  it.each([
    ["that has no end", {}, undefined],
    ["before its end", { expiresAt: inMs(1) }, undefined],
    ["at its end", { expiresAt: now }, "API_KEY_EXPIRED"],
    ["that is revoked", { revokedAt: now }, "API_KEY_REVOKED"],
    ["that was rotated", { replacedById: "l", expiresAt: inMs(1) }, "API_KEY_ROTATED"],
    ["that was rotated and has ended", { replacedById: "l", expiresAt: now }, "API_KEY_ROTATED"],
  ])("%s", (_, change, reason) => {
    const rotate = () => assertRotatable({ ...stored, ...change }, now);
    if (reason === undefined) expect(rotate).not.toThrow();
    else expect(rotate).toThrow(expect.objectContaining({ reason }));
  });

  it.each([
    ["after the overlap", undefined, 60, inMs(60_000)],
    ["at once without an overlap", undefined, 0, now],
    ["when it would have ended anyway", inMs(59_999), 60, inMs(59_999)],
    ["after the overlap when it would have ended later", inMs(60_001), 60, inMs(60_000)],
  ])("ends it %s", (_, expiresAt, overlapSeconds, end) => {
    expect(endOfOverlap({ expiresAt }, now, overlapSeconds)).toEqual(end);
  });
});
