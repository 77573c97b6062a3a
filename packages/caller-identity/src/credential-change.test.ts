import { describe, expect, it } from "vitest";
import { concerns } from "./credential-change.ts";

const none = { organisationId: "o1", apiKeyId: "", memberId: "", roleId: "" };
const callerOf = (credentialId: string, memberId?: string) => ({
  organisationId: "o1",
  ...(memberId === undefined ? {} : { memberId }),
  permissions: new Set<string>(),
  credentialId,
  expiresAt: new Date(0),
  signedContext: "",
});

const inSession = (caller: ReturnType<typeof callerOf>) => ({ ...caller, sessionId: "s1" });

describe("a change", () => {
  it.each([
    ["of the key itself", { apiKeyId: "k1" }, callerOf("k1"), true],
    ["of another key", { apiKeyId: "k2" }, callerOf("k1"), false],
    ["of the member", { memberId: "m1" }, callerOf("issuer subject", "m1"), true],
    ["of another member", { memberId: "m2" }, callerOf("issuer subject", "m1"), false],
    ["of a role", { roleId: "r1" }, callerOf("issuer subject", "m1"), true],
    ["of everything", {}, callerOf("k1"), true],
    ["of another organisation", { organisationId: "o2" }, callerOf("k1"), false],
    ["of the delegation itself", { apiKeyId: "delegation:d1" }, callerOf("delegation:d1", "m1"), true],
    ["of another delegation", { apiKeyId: "delegation:d2" }, callerOf("delegation:d1", "m1"), false],
    ["of the member who delegates", { memberId: "m1" }, callerOf("delegation:d1", "m1"), true],
    ["of a key, which may be the one that delegates", { apiKeyId: "k1" }, callerOf("delegation:d1"), true],
    ["of the member whose notebook it is", { memberId: "m1" }, callerOf("notebook:member-m1/", "m1"), true],
    ["of a key, which may be the one whose notebook it is", { apiKeyId: "k1" }, callerOf("notebook:key-k1/"), true],
    ["of a key, where a member delegates", { apiKeyId: "k1" }, callerOf("delegation:d1", "m1"), false],
    ["of the member's session", { apiKeyId: "session:s1" }, inSession(callerOf("session:s1", "m1")), true],
    ["of another session", { apiKeyId: "session:s2" }, inSession(callerOf("session:s1", "m1")), false],
    ["of the member whose session it is", { memberId: "m1" }, inSession(callerOf("session:s1", "m1")), true],
    ["of the key's session", { apiKeyId: "session:s1" }, inSession(callerOf("k1")), true],
    ["of the key whose session it is", { apiKeyId: "k1" }, inSession(callerOf("k1")), true],
    ["of a session, where the key itself is shown", { apiKeyId: "session:s1" }, callerOf("k1"), false],
    ["of the sign-in code", { apiKeyId: "sign-in-code:c1" }, callerOf("sign-in-code:c1"), true],
  ])("%s: %s", (_, change, caller, expected) => {
    expect(concerns({ ...none, ...change }, { caller, paired: false })).toBe(expected);
  });

  it("of any key concerns who showed one beside a token", () => {
    expect(concerns({ ...none, apiKeyId: "k2" }, { caller: callerOf("issuer subject", "m1"), paired: true })).toBe(
      true,
    );
  });
});
