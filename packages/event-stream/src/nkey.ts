import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";

/**
 * NKeys of users by Node's own Ed25519. That of the NATS client is written in JavaScript: a process spends more time on it than on all
 * else that it needs for its first connection. It needs no other module, so that what makes keys need not load the client.
 */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");
const keyLength = 32;
/** In front of the key in the seed of a user: the letters SU. */
const seedPrefix = Buffer.of((18 << 3) | (20 >> 2), (20 & 3) << 6);
/** What public keys of users begin with: the letter U. */
const userPrefix = 20 << 3;

export interface Nkey {
  readonly publicKey: string;
  sign(data: Uint8Array): Uint8Array;
}

/** The user's key that a seed stands for. @throws Error without the seed's text when it is none of a user's */
export function nkeyOf(seed: string): Nkey {
  const privateKey = privateKeyOf(seed.trim());
  return {
    publicKey: publicTextOf(privateKey),
    sign: (data) => sign(null, data, privateKey),
  };
}

/** A seed that is new. */
function newSeed(): string {
  return toBase32(withChecksum(Buffer.concat([seedPrefix, randomBytes(keyLength)])));
}

/** A new user's seed, which it keeps, and its public key, which the server knows it by. */
export function newNkey(): { seed: string; publicKey: string } {
  const seed = newSeed();
  return { seed, publicKey: publicNkey(seed) };
}

/** The public key of a seed. @throws Error without the seed's text when it is none of a user's */
export function publicNkey(seed: string): string {
  return nkeyOf(seed).publicKey;
}

function privateKeyOf(seed: string): KeyObject {
  const key = keyIn(seed);
  if (key) return createPrivateKey({ key: Buffer.concat([pkcs8, key]), format: "der", type: "pkcs8" });
  throw new Error("NATS_NKEY is not the seed of a user: it begins with SU, as nsc and `nk -gen user` print it");
}

/** The bytes of the key; undefined where it is no seed of a user. */
function keyIn(seed: string): Buffer | undefined {
  const named = fromBase32(seed).subarray(0, seedPrefix.length + keyLength);
  const isWhole = toBase32(withChecksum(named)) === seed;
  return isWhole && named.subarray(0, seedPrefix.length).equals(seedPrefix)
    ? named.subarray(seedPrefix.length)
    : undefined;
}

function publicTextOf(privateKey: KeyObject): string {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return toBase32(withChecksum(Buffer.concat([Buffer.of(userPrefix), Buffer.from(x, "base64url")])));
}

function withChecksum(bytes: Buffer): Buffer {
  const checksum = crc16(bytes);
  return Buffer.concat([bytes, Buffer.of(checksum & 0xff, checksum >> 8)]);
}

/** Base 32 of RFC 4648 without padding. */
function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff) >>> 0;
  }
  return crc;
}
