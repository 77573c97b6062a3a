import { crc32 } from "node:zlib";

/** What the platform keeps of a key; the key itself is kept nowhere. */
export interface ApiKey {
  id: string;
  organisationId: string;
  name: string;
  /** The last four characters, so that people can tell their keys apart. */
  lastFour: string;
  permissionIds: string[];
  createdAt: Date;
  /** Absent: never. */
  expiresAt: Date | undefined;
  /** To the minute; written lazily. */
  lastUsedAt: Date | undefined;
  revokedAt: Date | undefined;
}

/** Source of randomness: `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const prefix = "aip_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^33 > 2^196: more than the 192 bits that are promised. */
const secretLength = 33;
/** 62^6 > 2^32: room for every CRC-32. */
const checksumLength = 6;
/** Largest multiple of 62 in a byte; what lies above would favour the first letters. */
const unbiasedBelow = 248;

/** The shape secret scanners look for. */
export const apiKeyPattern: RegExp = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** A new key: `aip_`, 33 random letters and digits, and a checksum of 6. */
export function generateApiKey(randomBytes: RandomBytes): string {
  let secret = "";
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < unbiasedBelow && secret.length < secretLength) secret += alphabet[byte % alphabet.length];
    }
  }
  return prefix + secret + checksum(prefix + secret);
}

/** Whether a credential claims to be one of our keys, well-formed or not. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(prefix);
}

/** Whether the text could be a key of ours: anything else was mistyped or cut, and needs no look at the database. */
export function isWellFormedApiKey(text: string): boolean {
  return apiKeyPattern.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** Why a key does not open anything now; undefined when it does. */
export function refusalOfKey(key: ApiKey, now: Date): "CREDENTIAL_REVOKED" | "CREDENTIAL_EXPIRED" | undefined {
  if (key.revokedAt) return "CREDENTIAL_REVOKED";
  if (key.expiresAt && key.expiresAt <= now) return "CREDENTIAL_EXPIRED";
  return undefined;
}

/** The start of the minute: as exactly as a key's last use is kept. */
export function toTheMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 60_000) * 60_000);
}

/** The key does not exist, or not here. */
export class ApiKeyNotFoundError extends Error {
  override name = "ApiKeyNotFoundError";
  readonly apiKeyId: string;
  constructor(apiKeyId: string) {
    super("Not found");
    this.apiKeyId = apiKeyId;
  }
}

/** A key that has ended before it begins. */
export class ExpiryInPastError extends Error {
  override name = "ExpiryInPastError";
  readonly field = "expires_at";
  constructor() {
    super("must lie in the future");
  }
}
