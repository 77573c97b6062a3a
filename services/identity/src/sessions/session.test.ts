import { describe, expect, it } from "vitest";
import {
  CredentialOpensNoSessionError,
  idleEnd,
  isOver,
  isSameHolder,
  type OpeningCaller,
  openingOf,
  type Session,
  shortUserAgent,
} from "./session.ts";

const acme = "019c6b7e-0000-7000-8000-00000000000a";
const globex = "019c6b7e-0000-7000-8000-00000000000b";
const member = { organisationId: acme, memberId: "ada", credentialId: "https://issuer.test ada" };
const key = { organisationId: acme, credentialId: "key-1" };
const memberSession = { ...member, credentialId: "session:s", sessionId: "s" };
const keySession = { ...key, sessionId: "s" };
const code = { ...member, credentialId: "sign-in-code:c" };

describe("what a credential opens", () => {
  it.each<[string, OpeningCaller, string | undefined, object]>([
    ["an access token", member, undefined, { method: "access_token", holder: { memberId: "ada" } }],
    ["an access token, its own organisation named", member, acme, { method: "access_token" }],
    ["an API key", key, undefined, { method: "api_key", holder: { apiKeyId: "key-1" } }],
    ["a sign-in code of a member", code, undefined, { method: "sign_in_code", codeId: "c" }],
    ["a sign-in code of a key", { ...key, credentialId: "sign-in-code:c" }, undefined, { method: "sign_in_code" }],
    ["a session, in another organisation", memberSession, globex, { method: "switch", toOrganisationId: globex }],
  ])("%s", (_, caller, organisationId, opening) => {
    expect(openingOf(caller, organisationId)).toMatchObject(opening);
  });

  it.each<[string, OpeningCaller, string | undefined]>([
    ["the operator's key", { organisationId: "", credentialId: "operator" }, undefined],
    ["a delegation", { ...member, credentialId: "delegation:d" }, undefined],
    ["a notebook", { ...member, credentialId: "notebook:member-ada/" }, undefined],
    ["a session, where it is already", memberSession, acme],
    ["a session, nowhere", memberSession, undefined],
    ["a session of a key", keySession, undefined],
    ["a session of a key, in another organisation", keySession, globex],
    ["an access token, in another organisation", member, globex],
    ["a sign-in code, in another organisation", code, globex],
  ])("is nothing for %s", (_, caller, organisationId) => {
    expect(() => openingOf(caller, organisationId)).toThrow(CredentialOpensNoSessionError);
  });
});

describe("the end of a session", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute));
  const limits = { idleMs: 10 * 60_000, maxMs: 3_600_000 };
  const session = { lastUsedAt: at(0), expiresAt: at(30) } as Session;

  it.each([
    ["just before its idle time is over", session, at(10), false],
    ["when its idle time and the minute of its last use are over", session, at(11), true],
    ["when it was used meanwhile", { ...session, lastUsedAt: at(15) }, at(20), false],
    ["at its last moment, however it was used", { ...session, lastUsedAt: at(29) }, at(30), true],
  ])("%s", (_, each, now, over) => {
    expect(isOver(each, limits, now)).toBe(over);
  });

  it("is never later than the absolute one", () => {
    expect(idleEnd({ ...session, lastUsedAt: at(29) }, limits)).toEqual(at(30));
  });
});

describe("holders", () => {
  it.each([
    [{ memberId: "a" }, { memberId: "a" }, true],
    [{ memberId: "a" }, { memberId: "b" }, false],
    [{ memberId: "a" }, { apiKeyId: "a" }, false],
    [{ apiKeyId: "a" }, { apiKeyId: "a" }, true],
  ])("%j and %j are the same: %j", (one, other, same) => {
    expect(isSameHolder(one, other)).toBe(same);
  });
});

describe("what a browser says it is", () => {
  it("is kept up to 256 characters, and never half of one", () => {
    expect(shortUserAgent("x".repeat(300))).toHaveLength(256);
    expect(shortUserAgent(`${"x".repeat(255)}\u{1F600}`).isWellFormed()).toBe(true);
  });
});
