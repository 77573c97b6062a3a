import { createUser, fromSeed } from "nkeys.js";

/** A new user's seed, which it keeps, and its public key, which the server knows it by. */
export function newNkey(): { seed: string; publicKey: string } {
  const user = createUser();
  return { seed: new TextDecoder().decode(user.getSeed()), publicKey: user.getPublicKey() };
}

/** The public key of a seed. @throws Error without the seed's text when it is none of a user's */
export function publicNkey(seed: string): string {
  return fromSeed(seedBytes(seed)).getPublicKey();
}

/** A seed as the client takes it. @throws Error without the seed's text when it is none of a user's */
export function seedBytes(seed: string): Uint8Array {
  const text = seed.trim();
  const bytes = new TextEncoder().encode(text);
  try {
    // Looks at its checksum. The first letters say of what it is a seed, and the public key takes a hundred times as long.
    fromSeed(bytes);
    if (text.startsWith("SU")) return bytes;
  } catch {
    // Its error may show the seed.
  }
  throw new Error("NATS_NKEY is not the seed of a user: it begins with SU, as nsc and `nk -gen user` print it");
}
