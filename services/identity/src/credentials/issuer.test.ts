import { describe, expect, it } from "@jest/globals";
import { mayAsk, readIssuers } from "./issuer.ts";

const plain = { issuer: "https://id.example.com", audience: "aiplatform" };

describe("reading the issuers", () => {
  it("fills in the claim and leaves the keys to discovery", () => {
    expect(readIssuers([plain])).toEqual([
      { ...plain, organisationClaim: "organisation", jwksUri: undefined, allowHttp: false },
    ]);
  });

  it("takes every field as given", () => {
    const given = { ...plain, organisation_claim: "org", jwks_uri: "https://id.example.com/keys", allow_http: true };
    expect(readIssuers([given])).toEqual([
      { ...plain, organisationClaim: "org", jwksUri: "https://id.example.com/keys", allowHttp: true },
    ]);
  });

  it.each([
    ["no list", {}, "must be a JSON list of issuers"],
    ["no object", ["x"], "entry 0 must be an object"],
    ["no audience", [{ issuer: plain.issuer }], "entry 0: audience must be a text that is not empty"],
    ["an empty claim name", [{ ...plain, organisation_claim: "" }], "organisation_claim must be a text"],
    ["a field that does not exist", [{ ...plain, audiences: [] }], "entry 0 has an unknown field audiences"],
    ["the same issuer twice", [plain, plain], "names an issuer twice"],
    ["keys over plain http", [{ ...plain, jwks_uri: "http://127.0.0.1/keys" }], "must be an https URL"],
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
