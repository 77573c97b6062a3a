import type { JSONWebKeySet, JWK } from "jose";

/** Most keys an issuer may publish: a token without key id is tried with each of them. */
const maxKeys = 100;
/** Shortest RSA modulus that is believed (RFC 8725, 3.2; RFC 7518, 3.3). */
const minRsaBits = 2048;
const curves: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["EC", new Set(["P-256"])],
  ["OKP", new Set(["Ed25519"])],
]);

/** The keys of a set that are believed, and why others for signatures are not. */
export interface ReadKeySet {
  keys: JSONWebKeySet;
  ignored: { keyId: string; why: string }[];
}

/** Reads what an issuer publishes. @throws Error when it is no key set, or holds no key that is believed. */
export function readKeySet(document: unknown): ReadKeySet {
  const published = Array.isArray(document) || !isObject(document) ? undefined : document["keys"];
  if (!Array.isArray(published)) throw new Error("what the issuer publishes is not a JWK Set");
  if (published.length > maxKeys) throw new Error(`the issuer publishes more than ${maxKeys} keys`);
  const keys: JWK[] = [];
  const ignored: ReadKeySet["ignored"] = [];
  for (const key of published.filter(isObject).filter(isForSignatures)) {
    const why = flawOf(key);
    if (why === undefined) keys.push(key);
    else ignored.push({ keyId: typeof key["kid"] === "string" ? key["kid"].slice(0, 100) : "", why });
  }
  // A set that opens nothing is a mishap at the issuer: the keys at hand are better.
  if (keys.length === 0) throw new Error("the issuer publishes no key that is accepted");
  return { keys: { keys }, ignored };
}

/** Why a key is not believed, whatever it signs. Undefined: it is. */
function flawOf(key: Record<string, unknown>): string | undefined {
  if (key["d"] !== undefined || key["k"] !== undefined) return "it is secret, and published";
  if (key["kty"] === "RSA") return rsaBits(key["n"]) < minRsaBits ? `it has less than ${minRsaBits} bits` : undefined;
  const known = curves.get(String(key["kty"]));
  if (!known) return "its kind is not accepted";
  return known.has(String(key["crv"])) ? undefined : "its curve is not accepted";
}

function isForSignatures({ use }: Record<string, unknown>): boolean {
  return use === undefined || use === "sig";
}

function rsaBits(modulus: unknown): number {
  if (typeof modulus !== "string") return 0;
  const hexadecimal = Buffer.from(modulus, "base64url").toString("hex").replace(/^0+/, "");
  const [first = "0"] = hexadecimal;
  return 4 * (hexadecimal.length - 1) + Number.parseInt(first, 16).toString(2).length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
