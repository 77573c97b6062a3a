import { describe, expect, it } from "vitest";
import { linkError, revokeObjection } from "./link-texts.ts";

describe("a linked account", () => {
  it.each([
    ["access_denied", "the member declined"],
    ["of_a_later_version", "of_a_later_version"],
  ])("says why it failed: %s", (error, text) => {
    expect(linkError(error)).toBe(text);
  });

  it.each([
    ["pending", undefined],
    ["linked", undefined],
    ["expired", undefined],
    ["failed", "It failed: there are no tokens."],
    ["revoked", "It is revoked already."],
  ] as const)("that is %s can be revoked or says why not", (status, objection) => {
    expect(revokeObjection(status)).toBe(objection);
  });
});
