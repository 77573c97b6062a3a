import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { ServiceKeyError } from "./errors.ts";

/** A new Ed25519 private key, PKCS 8 in PEM. */
export function newPrivateKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The key, and `x` of its public part, by which it is recognised in a key set. @throws ServiceKeyError */
export function readPrivateKey(pem: string, file: string): { privateKey: KeyObject; x: string } {
  const privateKey = parse(pem);
  const { crv, x } = privateKey ? createPublicKey(privateKey).export({ format: "jwk" }) : {};
  if (privateKey && crv === "Ed25519" && x) return { privateKey, x };
  throw new ServiceKeyError(
    `${file} must hold an Ed25519 private key in PEM, without a passphrase: make one with openssl genpkey -algorithm ed25519`,
  );
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
