import { type KeyObject, sign, verify } from "node:crypto";
import { SignatureError } from "./errors.ts";
import type { PublicKey } from "./key-set.ts";

// A detached JWS whose payload is signed as it is (RFC 7515, appendix F, and RFC 7797): `<header>..<signature>`.
const separator = "..";
/** 64 bytes in base64url. */
const signatureLength = 86;

/** The only header with which this key signs something of this type. */
function headerOf(type: string, kid: string): string {
  const header = { alg: "EdDSA", b64: false, crit: ["b64"], kid, typ: type };
  return Buffer.from(JSON.stringify(header)).toString("base64url");
}

function signed(header: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${header}.`), payload]);
}

/** Signs things of one type with one key. */
export class Signer {
  readonly #header: string;
  readonly #key: KeyObject;

  constructor(type: string, { kid, privateKey }: { kid: string; privateKey: KeyObject }) {
    this.#header = headerOf(type, kid);
    this.#key = privateKey;
  }

  sign(payload: Uint8Array): string {
    const signature = sign(null, signed(this.#header, payload), this.#key);
    return `${this.#header}${separator}${signature.toString("base64url")}`;
  }
}

/**
 * Verifies things of one type. A header is never parsed: it is one of those that the known keys sign with, or the signature
 * is refused, so nothing that a sender writes there chooses an algorithm.
 */
export class Verifier {
  readonly #keys: ReadonlyMap<string, PublicKey>;

  constructor(type: string, keys: Iterable<PublicKey>) {
    this.#keys = new Map([...keys].map((key) => [headerOf(type, key.kid), key]));
  }

  /** Answers whose signature it is. @throws SignatureError */
  verify(payload: Uint8Array, signature: string): PublicKey {
    const at = signature.length - signatureLength - separator.length;
    const [header, encoded] = [signature.slice(0, Math.max(at, 0)), signature.slice(at + separator.length)];
    const key = this.#keys.get(header);
    if (!key || !signature.startsWith(separator, at)) {
      throw new SignatureError("the signature is not by a key of a service, or is for something of another kind");
    }
    if (!verify(null, signed(header, payload), key.key, Buffer.from(encoded, "base64url"))) {
      throw new SignatureError(`the signature by ${key.kid} does not fit what is signed`);
    }
    return key;
  }
}
