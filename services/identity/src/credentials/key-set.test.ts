import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readKeySet } from "./key-set.ts";

function publicRsa(modulusLength: number) {
  return { ...generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" }), kid: "rsa" };
}

function publicEc(namedCurve: string) {
  return { ...generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" }), kid: "ec" };
}

const good = publicEc("P-256");
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });

describe("a key that an issuer publishes", () => {
  it.each([
    ["RSA with 2,048 bits", publicRsa(2048)],
    ["RSA with 3,072 bits", publicRsa(3072)],
    ["on P-256", good],
    ["on Ed25519", generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })],
    ["for signatures", { ...good, use: "sig" }],
    ["with unknown members", { ...good, "https://example.com/x": 1 }],
  ])("is believed: %s", (_, key) => {
    expect(readKeySet({ keys: [key] })).toEqual({ keys: { keys: [key] }, ignored: [] });
  });

  it.each([
    ["RSA with 1,024 bits", publicRsa(1024), "it has less than 2048 bits"],
    ["RSA with 2,040 bits", publicRsa(2040), "it has less than 2048 bits"],
    ["RSA with zeros in front", { kty: "RSA", e: "AQAB", n: paddedModulus(1024, 2048) }, "it has less than 2048 bits"],
    ["RSA without a modulus", { kty: "RSA", e: "AQAB" }, "it has less than 2048 bits"],
    ["on P-384", publicEc("P-384"), "its curve is not accepted"],
    ["on secp256k1", publicEc("secp256k1"), "its curve is not accepted"],
    ["on an unknown curve", { ...good, crv: "P-0" }, "its curve is not accepted"],
    ["Ed448", generateKeyPairSync("ed448").publicKey.export({ format: "jwk" }), "its curve is not accepted"],
    ["of an unknown kind", { kty: "XYZ" }, "its kind is not accepted"],
    ["of no kind", {}, "its kind is not accepted"],
    ["symmetric", { kty: "oct", k: "AAAA" }, "it is secret, and published"],
    ["private", pair.privateKey.export({ format: "jwk" }), "it is secret, and published"],
  ])("is ignored, and the others are not: %s", (_, key, why) => {
    const { keys, ignored } = readKeySet({ keys: [key, good] });
    expect(keys.keys).toEqual([good]);
    expect(ignored.map((one) => one.why)).toEqual([why]);
  });

  it("is passed over when it is for encryption", () => {
    expect(readKeySet({ keys: [{ ...good, use: "enc" }, good] })).toEqual({ keys: { keys: [good] }, ignored: [] });
  });

  it("is named when it is ignored, briefly", () => {
    const { ignored } = readKeySet({ keys: [good, { kid: "k".repeat(500) }, { kid: 7 }] });
    expect(ignored.map(({ keyId }) => keyId)).toEqual(["k".repeat(100), ""]);
  });
});

describe("a set of keys", () => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "keys"],
    ["a list", [good]],
    ["an object without keys", {}],
    ["keys that are no list", { keys: good }],
    ["no key", { keys: [] }],
    ["entries that are no keys", { keys: [null, 7, "key"] }],
    ["nothing that is believed", { keys: [publicRsa(1024)] }],
    ["more keys than an issuer needs", { keys: Array.from({ length: 101 }, () => good) }],
  ])("is refused whole when it is %s", (_, document) => {
    expect(() => readKeySet(document)).toThrow(/publishes/);
  });
});

/** A short modulus, written as long as a good one. */
function paddedModulus(bits: number, written: number): string {
  const short = Buffer.from(publicRsa(bits).n ?? "", "base64url");
  return Buffer.concat([Buffer.alloc((written - bits) / 8), short]).toString("base64url");
}
