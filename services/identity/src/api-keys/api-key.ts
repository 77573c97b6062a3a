import { crc32 } from "node:zlib";
import type { FieldViolation } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";

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
  /** Absent: a key or the platform made it. */
  createdByMemberId: string | undefined;
  /** The key that takes over from this one. */
  replacedById: string | undefined;
}

/** Source of randomness: `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/** What every key begins with. */
export const apiKeyPrefix = "aip_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^33 > 2^196: more than the 192 bits that are promised. */
const secretLength = 33;
/** 62^6 > 2^32: room for every CRC-32. */
const checksumLength = 6;
/** Largest multiple of 62 in a byte; what lies above would favour the first letters. */
const unbiasedBelow = 248;

/** The shape secret scanners look for: the prefix, 33 letters of the secret, 6 of the checksum. */
export const apiKeyPattern: RegExp = /^aip_[0-9A-Za-z]{39}$/;

/** A new key: `aip_`, 33 random letters and digits, and a checksum of 6. */
export function generateApiKey(randomBytes: RandomBytes): string {
  let secret = "";
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < unbiasedBelow && secret.length < secretLength) secret += alphabet[byte % alphabet.length];
    }
  }
  return apiKeyPrefix + secret + checksum(apiKeyPrefix + secret);
}

/** Whether a credential claims to be one of our keys, well-formed or not. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(apiKeyPrefix);
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

/** Why a key is refused now; undefined when it is accepted. */
export function refusalOfKey(key: ApiKey, now: Date): "CREDENTIAL_REVOKED" | "CREDENTIAL_EXPIRED" | undefined {
  if (key.revokedAt) return "CREDENTIAL_REVOKED";
  if (key.expiresAt && key.expiresAt <= now) return "CREDENTIAL_EXPIRED";
  return undefined;
}

/** What is wrong with the end that a new key is to have. */
export function expiryProblems(expiresAt: Date | undefined, now: Date): FieldViolation[] {
  if (!expiresAt) return [];
  if (!(expiresAt <= maxExpiry)) {
    return [{ field: "expires_at", reason: "EXPIRY_OUT_OF_RANGE", description: "must lie before the year 10000" }];
  }
  const description = "must lie in the future";
  return expiresAt <= now ? [{ field: "expires_at", reason: "EXPIRY_IN_PAST", description }] : [];
}

/** The last instant that can be written as a date-time. */
const maxExpiry = new Date("9999-12-31T23:59:59.999Z");

/** When a key ends that another takes over from: after the overlap, or when it would have ended anyway. */
export function endOfOverlap({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date, overlapSeconds: number): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000);
  return expiresAt && expiresAt < end ? expiresAt : end;
}

/** @throws ApiKeyNotRotatableError */
export function assertRotatable(key: ApiKey, now: Date): void {
  if (key.revokedAt) throw new ApiKeyNotRotatableError("API_KEY_REVOKED");
  if (key.replacedById !== undefined) throw new ApiKeyNotRotatableError("API_KEY_ROTATED");
  if (key.expiresAt && key.expiresAt <= now) throw new ApiKeyNotRotatableError("API_KEY_EXPIRED");
}

export class ApiKeyNotFoundError extends NotFoundError {
  override name = "ApiKeyNotFoundError";
}

const notRotatableTexts = {
  API_KEY_REVOKED: "The key is revoked",
  API_KEY_EXPIRED: "The key has expired",
  API_KEY_ROTATED: "The key was rotated before",
} as const;

/** No key can take over from this one. */
export class ApiKeyNotRotatableError extends Error {
  override name = "ApiKeyNotRotatableError";
  readonly reason: keyof typeof notRotatableTexts;
  constructor(reason: keyof typeof notRotatableTexts) {
    super(notRotatableTexts[reason]);
    this.reason = reason;
  }
}
