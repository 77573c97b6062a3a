import { describe, expect, it } from "@jest/globals";
import { errors, UnsecuredJWT } from "jose";
import { assertAccessToken, claimedIssuer, readClaims, refusalOfToken } from "./access-token.ts";
import type { CredentialRefusal } from "./credential-refused-error.ts";
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
    ["made in the future", "JWT", { iat: seconds + 61 }, "The token is not valid yet"],
  ])("refuses one %s", (_, type, claims, message) => {
    expect(() => assertAccessToken(type, claims, now)).toThrow(message);
  });
});

describe("the claims of a token", () => {
  const claims = { iss: "https://id", sub: "ada", exp: seconds, organisation: "acme" };

  it("are read from the claim that the issuer is configured with", () => {
    const read = readClaims({ ...claims, "https://acme/org": "other" }, "https://acme/org");
    expect(read).toEqual({
      issuer: "https://id",
      subject: "ada",
      organisation: "other",
      expiresAt: new Date(now.getTime() + 60_000),
    });
  });

  const bad: [string, Record<string, unknown>, CredentialRefusal][] = [
    ["no subject", { sub: undefined }, "CREDENTIAL_MALFORMED"],
    ["an empty subject", { sub: "" }, "CREDENTIAL_MALFORMED"],
    ["no organisation", { organisation: undefined }, "MEMBER_UNKNOWN"],
    ["an empty organisation", { organisation: "" }, "MEMBER_UNKNOWN"],
    ["a list of organisations", { organisation: ["acme"] }, "MEMBER_UNKNOWN"],
  ];
  it.each(bad)("open nothing with %s", (_, change, reason) => {
    expect(() => readClaims(Object.assign({}, claims, change), "organisation")).toThrow(
      expect.objectContaining({ reason }),
    );
  });

  it("are not taken from what every object inherits", () => {
    const read = () => readClaims(claims, "constructor");
    expect(read).toThrow(expect.objectContaining({ reason: "MEMBER_UNKNOWN" }));
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
