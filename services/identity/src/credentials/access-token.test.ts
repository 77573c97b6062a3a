import { errors, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { assertAccessToken, type ClaimNames, claimedIssuer, readClaims, refusalOfToken } from "./access-token.ts";
import { type CredentialRefusal, CredentialRefusedError } from "./credential-refused-error.ts";
import { IssuerUnavailableError } from "./issuer-keys.ts";

const now = new Date("2026-11-21T10:00:00Z");
const seconds = now.getTime() / 1000;

describe("whether a verified token is an access token", () => {
  it.each([
    ["of RFC 9068", "at+jwt", {}],
    ["of RFC 9068, written in full", "application/at+jwt", {}],
    ["typed JWT", "JWT", {}],
    ["without a type", undefined, {}],
    ["that its issuer marks as Bearer", "JWT", { typ: "Bearer" }],
    ["made within the tolerance", "JWT", { iat: seconds + 60 }],
  ])("accepts one %s", (_, type, claims) => {
    expect(() => assertAccessToken(type, claims, now)).not.toThrow();
  });

  it.each([
    ["of another type", "dpop+jwt", {}, "The token is not an access token"],
    ["that is a log-out token", "logout+jwt", {}, "The token is not an access token"],
    ["with at_hash", "JWT", { at_hash: "x" }, "The token is not an access token"],
    ["with c_hash", "JWT", { c_hash: "x" }, "The token is not an access token"],
    ["with a nonce", "JWT", { nonce: "x" }, "The token is not an access token"],
    ["with log-out events", "JWT", { events: {} }, "The token is not an access token"],
    ["used as id", "JWT", { token_use: "id" }, "The token is not an access token"],
    ["that its issuer marks as ID", "JWT", { typ: "ID" }, "The token is not an access token"],
    ["that is valid for more than a year", "JWT", { iat: seconds, exp: seconds + 367 * 86_400 }, "more than a year"],
    ["made in the future", "JWT", { iat: seconds + 61 }, "The token is not valid yet"],
  ])("refuses one %s", (_, type, claims, message) => {
    expect(() => assertAccessToken(type, claims, now)).toThrow(message);
  });
});

describe("the claims of a token", () => {
  const claims = { iss: "https://id", sub: "ada", exp: seconds, organisation: "acme" };
  const usual: ClaimNames = {
    organisation: undefined,
    organisationClaim: "organisation",
    subjectClaim: "sub",
    verifiedEmail: undefined,
  };
  const byAddress: ClaimNames = { ...usual, verifiedEmail: { address: "email", isVerified: "email_verified" } };
  const refusedFor = (payload: object, names = usual) => {
    try {
      return readClaims({ ...payload }, names);
    } catch (error) {
      return error instanceof CredentialRefusedError ? error.reason : error;
    }
  };

  it("are read from the claims that the issuer is configured with", () => {
    const names = { ...usual, organisationClaim: "https://acme/org", subjectClaim: "oid" };
    expect(readClaims({ ...claims, "https://acme/org": "other", oid: "4711" }, names)).toEqual({
      issuer: "https://id",
      subject: "4711",
      organisation: "other",
      verifiedEmail: undefined,
      expiresAt: new Date(now.getTime() + 60_000),
    });
  });

  it("cannot speak for another organisation than the issuer's only one", () => {
    const read = readClaims({ ...claims, organisation: "globex" }, { ...usual, organisation: "acme" });
    expect(read.organisation).toBe("acme");
  });

  it.each([
    ["no subject", { sub: undefined }, "CREDENTIAL_MALFORMED"],
    ["an empty subject", { sub: "" }, "CREDENTIAL_MALFORMED"],
    ["a subject that is too long", { sub: "x".repeat(256) }, "CREDENTIAL_MALFORMED"],
    ["a subject that is a number", { sub: 7 }, "CREDENTIAL_MALFORMED"],
    ["no organisation", { organisation: undefined }, "MEMBER_UNKNOWN"],
    ["an empty organisation", { organisation: "" }, "MEMBER_UNKNOWN"],
    ["a list of organisations", { organisation: ["acme"] }, "MEMBER_UNKNOWN"],
  ])("open nothing with %s", (_, change, reason) => {
    expect(refusedFor({ ...claims, ...change })).toBe(reason);
  });

  it("may name no organisation when the issuer is believed for addresses, but no nonsense in its place", () => {
    const { organisation: _, ...bare } = claims;
    expect(readClaims(bare, byAddress).organisation).toBeUndefined();
    for (const organisation of ["", ["acme"], {}, null, 7]) {
      expect(refusedFor({ ...claims, organisation }, byAddress)).toBe("MEMBER_UNKNOWN");
    }
  });

  it.each([
    ["a verified address", { email: "Ada@Example.COM", email_verified: true }, "ada@example.com"],
    ["an address that is not verified", { email: "ada@example.com", email_verified: false }, undefined],
    ["an address of which nothing is said", { email: "ada@example.com" }, undefined],
    ["a word in place of the truth", { email: "ada@example.com", email_verified: "true" }, undefined],
    ["a number in place of the truth", { email: "ada@example.com", email_verified: 1 }, undefined],
    ["no address", { email_verified: true }, undefined],
    ["an empty address", { email: "", email_verified: true }, undefined],
    ["a list of addresses", { email: ["ada@example.com"], email_verified: true }, undefined],
    [
      "a letter that only looks like k",
      { email: "mar\u212a@example.com", email_verified: true },
      "mar\u212a@example.com",
    ],
    ["an endless address", { email: `${"a".repeat(320)}@b.example`, email_verified: true }, undefined],
  ])("with %s give it only when it is one", (_, address, expected) => {
    expect(readClaims({ ...claims, ...address }, byAddress).verifiedEmail).toBe(expected);
    expect(readClaims({ ...claims, ...address }, usual).verifiedEmail).toBeUndefined();
  });

  it("are not taken from what every object inherits", () => {
    expect(refusedFor(claims, { ...usual, organisationClaim: "constructor" })).toBe("MEMBER_UNKNOWN");
    expect(refusedFor(claims, { ...usual, subjectClaim: "constructor" })).toBe("CREDENTIAL_MALFORMED");
  });
});

describe("the issuer that a token claims", () => {
  it("is read before anything is believed", () => {
    expect(claimedIssuer(new UnsecuredJWT({ iss: "https://id" }).encode())).toBe("https://id");
  });

  it.each([
    ["no token", "hello"],
    ["two parts", "e30.e30"],
    ["five parts", "e30.e30.e30.e30.e30"],
    ["a payload that is no JSON", "e30.aGVsbG8.c2ln"],
    ["a payload that is a list", "e30.W10.c2ln"],
    ["a header with a member twice", textOf('{"alg":"none","alg":"ES256"}', '{"iss":"https://id"}')],
    ["a payload with a member twice", textOf('{"alg":"ES256"}', '{"iss":"https://id","iss":"https://id"}')],
    ["a payload without issuer", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"],
  ])("cannot be read from %s", (_, token) => {
    expect(() => claimedIssuer(token)).toThrow(expect.objectContaining({ reason: "CREDENTIAL_MALFORMED" }));
  });
});

describe("a failed verification", () => {
  const claim = (name: string) => new errors.JWTClaimValidationFailed("unexpected", {}, name, "check_failed");
  const table: [string, unknown, CredentialRefusal][] = [
    ["expiry", new errors.JWTExpired("expired", {}), "CREDENTIAL_EXPIRED"],
    ["the audience", claim("aud"), "TOKEN_AUDIENCE"],
    ["the issuer", claim("iss"), "TOKEN_ISSUER"],
    ["the start", claim("nbf"), "CREDENTIAL_MALFORMED"],
    ["a missing subject", claim("sub"), "CREDENTIAL_MALFORMED"],
    ["its form", new errors.JWSInvalid("x"), "CREDENTIAL_MALFORMED"],
    ["its signature", new errors.JWSSignatureVerificationFailed(), "TOKEN_SIGNATURE"],
    ["its algorithm", new errors.JOSEAlgNotAllowed("x"), "TOKEN_SIGNATURE"],
    ["its key", new errors.JWKSNoMatchingKey(), "TOKEN_SIGNATURE"],
    ["a key that is too short", new TypeError("modulusLength"), "TOKEN_SIGNATURE"],
  ];
  it.each(table)("because of %s has the contract's reason", (_, failure, reason) => {
    expect(refusalOfToken(failure)?.reason).toBe(reason);
  });

  it("that is not the token's fault is not blamed on it", () => {
    expect(refusalOfToken(new IssuerUnavailableError("https://id", { cause: undefined }))).toBeUndefined();
  });
});

function textOf(header: string, payload: string): string {
  return [header, payload, "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}
