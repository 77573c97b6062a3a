import { createHmac, timingSafeEqual } from "node:crypto";

/** Turns secrets into what may be stored of them. */
export interface SecretHasher {
  /** HMAC-SHA-256 of the secret, base64url. Equal secrets give equal hashes, so a hash can be looked up. */
  hash(secret: string): string;
  /** Whether the secret is the one that was hashed; takes as long whatever the answer. */
  matches(secret: string, hash: string): boolean;
}

/** A hasher under one installation secret: an attacker with a copy of the database alone cannot try keys against it. */
export function createSecretHasher(installationSecret: string): SecretHasher {
  const digest = (secret: string) => createHmac("sha256", installationSecret).update(secret, "utf8").digest();
  return {
    hash: (secret) => digest(secret).toString("base64url"),
    matches: (secret, hash) => {
      const wanted = Buffer.from(hash, "base64url");
      const shown = digest(secret);
      return wanted.length === shown.length && timingSafeEqual(wanted, shown);
    },
  };
}
