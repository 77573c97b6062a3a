import { createPublicKey, type KeyObject } from "node:crypto";
import { ServiceKeyError } from "./errors.ts";
import { holderOf } from "./names.ts";
import { readPrivateKey } from "./private-key.ts";

/** A public key and whose it is. */
export interface PublicKey {
  readonly kid: string;
  readonly service: string;
  readonly x: string;
  readonly key: KeyObject;
}

/** A JWK Set (RFC 7517). */
export interface PublicKeySet {
  readonly keys: readonly PublicJwk[];
}

interface PublicJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly alg: "EdDSA";
  readonly use: "sig";
}

const maxKeys = 1_000;

/** Reads a JWK Set of Ed25519 keys whose ids name services. @throws ServiceKeyError that names `file` and what is wrong */
export function readKeySet(text: string, file: string): ReadonlyMap<string, PublicKey> {
  const found = new Map<string, PublicKey>();
  for (const jwk of jwksIn(text, file)) {
    const key = publicKeyOf(jwk, file);
    if (found.has(key.kid)) throw new ServiceKeyError(`${file} holds two keys with the kid ${key.kid}`);
    found.set(key.kid, key);
  }
  return found;
}

/**
 * The set with the public key of each private key, by service. What the set has already stays; a key that replaces another
 * of its service gets the next number.
 */
export function publicKeySet(privateKeys: ReadonlyMap<string, string>, present?: string): PublicKeySet {
  const known = present === undefined ? new Map<string, PublicKey>() : readKeySet(present, "the set of public keys");
  const keys = [...known.values()].map(({ kid, x }) => jwkOf(kid, x));
  for (const [service, pem] of privateKeys) {
    const { x } = readPrivateKey(pem, `the private key of ${service}`);
    if (keys.some((key) => key.x === x)) continue;
    keys.push(jwkOf(nextKeyId(service, keys), x));
  }
  return { keys };
}

function nextKeyId(service: string, keys: readonly PublicJwk[]): string {
  const numbers = keys.flatMap(({ kid }) => (holderOf(kid) === service ? [Number(kid.split(".")[1] ?? 1)] : []));
  return numbers.length === 0 ? service : `${service}.${Math.max(...numbers) + 1}`;
}

function jwkOf(kid: string, x: string): PublicJwk {
  return { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" };
}

function jwksIn(text: string, file: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed && "keys" in parsed && Array.isArray(parsed.keys)) {
      if (parsed.keys.length > 0 && parsed.keys.length <= maxKeys) return parsed.keys;
    }
  } catch {
    // Said below, in our words.
  }
  throw new ServiceKeyError(`${file} must be a JWK Set (RFC 7517) with the public keys of all services`);
}

function publicKeyOf(jwk: unknown, file: string): PublicKey {
  const { kid, kty, crv, x } = fieldsOf(jwk);
  const service = typeof kid === "string" ? holderOf(kid) : undefined;
  if (typeof kid !== "string" || service === undefined) {
    throw new ServiceKeyError(`${file} has a key whose kid is not a service's name, such as training or training.2`);
  }
  if (typeof jwk === "object" && jwk && "d" in jwk) {
    throw new ServiceKeyError(`${file} has the private key of ${kid}: replace that key, and put its public part here`);
  }
  try {
    if (kty === "OKP" && crv === "Ed25519" && typeof x === "string") {
      return { kid, service, x, key: createPublicKey({ key: { kty, crv, x }, format: "jwk" }) };
    }
  } catch {
    // Said below, in our words.
  }
  throw new ServiceKeyError(`${file} has under ${kid} something that is not an Ed25519 public key`);
}

function fieldsOf(jwk: unknown): { kid?: unknown; kty?: unknown; crv?: unknown; x?: unknown } {
  return typeof jwk === "object" && jwk ? jwk : {};
}
