import { describe, expect, it } from "vitest";
import { mayAsk, readIssuers } from "./issuer.ts";

const plain = { issuer: "https://id.example.com", audience: "aiplatform" };

const read = {
  ...plain,
  organisation: undefined,
  organisationClaim: "organisation",
  subjectClaim: "sub",
  verifiedEmail: undefined,
  jwksUri: undefined,
  allowHttp: false,
  signIn: undefined,
};

describe("reading the issuers", () => {
  it("fills in the claims and leaves the keys to discovery", () => {
    expect(readIssuers([plain])).toEqual([read]);
  });

  it("takes every field as given", () => {
    const given = {
      ...plain,
      organisation_claim: "org",
      subject_claim: "oid",
      match_verified_email: true,
      email_claim: "https://acme/email",
      email_verified_claim: "https://acme/verified",
      jwks_uri: "https://id.example.com/keys",
      allow_http: true,
    };
    const taken = {
      ...read,
      organisationClaim: "org",
      subjectClaim: "oid",
      verifiedEmail: { address: "https://acme/email", isVerified: "https://acme/verified" },
      jwksUri: "https://id.example.com/keys",
      allowHttp: true,
    };
    expect(readIssuers([given])).toEqual([taken]);
  });

  it("takes how people sign in, and asks for an id token and the address by default", () => {
    const signIn = { id: "acme", name: "Acme login", client_id: "us" };
    const usual = { id: "acme", name: "Acme login", clientId: "us", authentication: "client_secret_post" };
    expect(readIssuers([{ ...plain, sign_in: signIn }])[0]?.signIn).toEqual({ ...usual, scopes: ["openid", "email"] });
    const changed = { ...signIn, scopes: ["groups", "openid"], token_endpoint_auth_method: "client_secret_basic" };
    expect(readIssuers([{ ...plain, sign_in: changed }])[0]?.signIn).toEqual({
      ...usual,
      scopes: ["openid", "groups"],
      authentication: "client_secret_basic",
    });
  });

  it.each<[string, unknown, string]>([
    ["that is no object", "acme", "must be an object"],
    ["without a client id", { id: "a", name: "A" }, "client_id must be a text"],
    [
      "with an id that does not fit into a path",
      { id: "A b", name: "A", client_id: "us" },
      "id must be 1 to 63 of a-z",
    ],
    ["with a field that means nothing", { id: "a", name: "A", client_id: "us", secret: "x" }, "unknown field secret"],
    ["with scopes that hold blanks", { id: "a", name: "A", client_id: "us", scopes: ["a b"] }, "without blanks"],
    [
      "with another way to show the secret",
      { id: "a", name: "A", client_id: "us", token_endpoint_auth_method: "none" },
      "must be client_secret_post or client_secret_basic",
    ],
  ])("refuses a sign_in %s", (_, signIn, message) => {
    expect(() => readIssuers([{ ...plain, sign_in: signIn }])).toThrow(message);
  });

  it("refuses two sign-ins of one id", () => {
    const signIn = { id: "acme", name: "Acme login", client_id: "us" };
    const other = { ...plain, issuer: "https://other.example.com", sign_in: signIn };
    expect(() => readIssuers([{ ...plain, sign_in: signIn }, other])).toThrow("names an id of sign_in twice");
  });

  it("takes the one organisation that an issuer speaks for", () => {
    expect(readIssuers([{ ...plain, organisation: "acme" }])).toEqual([{ ...read, organisation: "acme" }]);
  });

  it("takes the usual claims of an address when it is to be matched", () => {
    const [issuer] = readIssuers([{ ...plain, match_verified_email: true }]);
    expect(issuer?.verifiedEmail).toEqual({ address: "email", isVerified: "email_verified" });
  });

  it.each([
    ["no list", {}, "must be a JSON list of issuers"],
    ["no object", ["x"], "entry 0 must be an object"],
    ["no audience", [{ issuer: plain.issuer }], "entry 0: audience must be a text that is not empty"],
    ["an empty claim name", [{ ...plain, organisation_claim: "" }], "organisation_claim must be a text"],
    ["a field that does not exist", [{ ...plain, audiences: [] }], "entry 0 has an unknown field audiences"],
    ["the same issuer twice", [plain, plain], "names an issuer twice"],
    ["keys over plain http", [{ ...plain, jwks_uri: "http://127.0.0.1/keys" }], "must be an https URL"],
    ["an organisation and a claim for it", [{ ...plain, organisation: "acme", organisation_claim: "org" }], "exclude"],
    ["an empty organisation", [{ ...plain, organisation: "" }], "organisation must be a text"],
    ["a claim of an address that is not used", [{ ...plain, email_claim: "mail" }], "means nothing without"],
    ["a switch as a text", [{ ...plain, match_verified_email: "true" }], "match_verified_email must be true or false"],
    ["allow_http as a text", [{ ...plain, allow_http: "yes" }], "allow_http must be true or false"],
  ])("refuses %s", (_, value, message) => {
    expect(() => readIssuers(value)).toThrow(message);
  });
});

describe("where keys may be fetched from", () => {
  it.each([
    ["https://id.example.com/keys", false, true],
    ["http://127.0.0.1:4000/keys", true, true],
    ["http://localhost:4000", true, true],
    ["http://[::1]:4000", true, true],
    ["http://127.0.0.1:4000", false, false],
    ["http://127.example.com", true, false],
    ["http://169.254.169.254/", true, false],
    ["http://id.example.com", true, false],
    ["file:///etc/passwd", true, false],
    ["https://user:word@id.example.com", false, false],
    ["keys", true, false],
  ])("%s, with allow_http %s: %s", (address, allowHttp, expected) => {
    expect(mayAsk(address, allowHttp)).toBe(expected);
  });
});
