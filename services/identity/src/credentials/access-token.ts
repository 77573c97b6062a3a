import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from "jose";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import type { Issuer } from "./issuer.ts";
import { hasRepeatedMembers } from "./repeated-members.ts";

/** What a verified access token says. */
export interface AccessToken {
  issuer: string;
  subject: string;
  /** Id or slug of the organisation. Absent: the token names none, and its issuer is believed for members' addresses. */
  organisation: string | undefined;
  /** E-mail address that the issuer has verified, lower-case. Absent: none, or the issuer is not believed for addresses. */
  verifiedEmail: string | undefined;
  /** When the platform stops believing it: its own end and the tolerance. */
  expiresAt: Date;
}

/** Longest credential that is looked at, in characters. */
export const maxCredentialLength = 16_384;

/** Longest subject and address that a member can have, in characters. */
const maxSubjectLength = 255;
const maxAddressLength = 320;

/** Signatures that are believed: asymmetric ones, so that a verifier of tokens cannot make them (RFC 8725, 3.1). */
export const algorithms: string[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** How far the clocks of issuer and platform may stand apart, in seconds. */
export const clockToleranceSeconds = 60;

/** From its time of issue to its end; what is meant to last longer is an API key. */
const maxLifetimeSeconds = 366 * 24 * 3600;

/** Media types of an access token; an absent one is read as JWT (RFC 7519, 5.1). */
const accessTokenTypes = new Set(["at+jwt", "application/at+jwt", "jwt", "application/jwt"]);

/** Claims and values that only tokens of other kinds carry: an id token proves a log-in, it opens nothing. */
const foreignMarks: [claim: string, isForeign: (value: unknown) => boolean][] = [
  ["at_hash", (value) => value !== undefined],
  ["c_hash", (value) => value !== undefined],
  ["nonce", (value) => value !== undefined],
  ["events", (value) => value !== undefined],
  ["token_use", (value) => value === "id"],
  ["typ", (value) => typeof value === "string" && ["id", "logout", "refresh"].includes(value.toLowerCase())],
];

/**
 * The `iss` of a token, before anything of it is believed: it only chooses whose keys are tried.
 * @throws CredentialRefusedError when the text is no signed token.
 */
export function claimedIssuer(token: string): string {
  const { iss } = readUnverified(token);
  if (typeof iss !== "string") throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  return iss;
}

function readUnverified(token: string): JWTPayload {
  try {
    decodeProtectedHeader(token);
    const payload = decodeJwt(token);
    const texts = token.split(".", 2).map((part) => Buffer.from(part, "base64url").toString());
    if (!texts.some(hasRepeatedMembers)) return payload;
  } catch (cause) {
    throw new CredentialRefusedError("CREDENTIAL_MALFORMED", { cause });
  }
  throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
}

/** Refuses what carries a good signature and is no access token, or was made at an impossible time. */
export function assertAccessToken(type: string | undefined, payload: JWTPayload, now: Date): void {
  const isForeign = foreignMarks.some(([claim, foreign]) => foreign(payload[claim]));
  if (isForeign || !accessTokenTypes.has((type ?? "JWT").toLowerCase())) {
    throw new CredentialRefusedError("CREDENTIAL_MALFORMED", { text: "The token is not an access token" });
  }
  const { iat, exp } = payload;
  if (typeof iat === "number" && iat > now.getTime() / 1000 + clockToleranceSeconds) {
    throw new CredentialRefusedError("CREDENTIAL_MALFORMED", { text: "The token is not valid yet" });
  }
  if (typeof iat === "number" && typeof exp === "number" && exp - iat > maxLifetimeSeconds) {
    throw new CredentialRefusedError("CREDENTIAL_MALFORMED", { text: "The token is valid for more than a year" });
  }
}

/** What the claims of a token are called. */
export type ClaimNames = Pick<Issuer, "organisation" | "organisationClaim" | "subjectClaim" | "verifiedEmail">;

/**
 * What a verified payload says.
 * @throws CredentialRefusedError when it names no subject, or an organisation is missing.
 */
export function readClaims(payload: JWTPayload, names: ClaimNames): AccessToken {
  const { iss, exp } = payload;
  const subject = claimOf(payload, names.subjectClaim);
  if (typeof iss !== "string" || typeof exp !== "number" || !isTextUpTo(subject, maxSubjectLength)) {
    throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  }
  return {
    issuer: iss,
    subject,
    organisation: names.organisation ?? namedOrganisation(payload, names),
    verifiedEmail: verifiedEmail(payload, names),
    expiresAt: new Date((exp + clockToleranceSeconds) * 1000),
  };
}

function namedOrganisation(payload: JWTPayload, names: ClaimNames): string | undefined {
  const organisation = claimOf(payload, names.organisationClaim);
  if (typeof organisation === "string" && organisation !== "") return organisation;
  if (organisation === undefined && names.verifiedEmail) return undefined;
  throw new CredentialRefusedError("MEMBER_UNKNOWN", { text: "The token names no organisation" });
}

/** Members' addresses are ASCII. Only ASCII is lowered: beyond it, lowering makes different addresses equal. */
function verifiedEmail(payload: JWTPayload, { verifiedEmail: claims }: ClaimNames): string | undefined {
  if (!claims || claimOf(payload, claims.isVerified) !== true) return undefined;
  const address = claimOf(payload, claims.address);
  return isTextUpTo(address, maxAddressLength)
    ? address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : undefined;
}

function isTextUpTo(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxLength;
}

function claimOf(payload: JWTPayload, claim: string): unknown {
  return Object.hasOwn(payload, claim) ? payload[claim] : undefined;
}

/** Reads a failed verification as one of the contract's reasons; undefined when the failure is not the token's. */
export function refusalOfToken(failure: unknown): CredentialRefusedError | undefined {
  if (failure instanceof CredentialRefusedError) return failure;
  // No cause for these two: it carries the token's claims, which are nothing for a log.
  if (failure instanceof errors.JWTExpired) return new CredentialRefusedError("CREDENTIAL_EXPIRED");
  if (failure instanceof errors.JWTClaimValidationFailed) return refusalOfClaim(failure);
  if (failure instanceof errors.JWTInvalid || failure instanceof errors.JWSInvalid) {
    return new CredentialRefusedError("CREDENTIAL_MALFORMED", { cause: failure });
  }
  // Keys that are too short or of another kind than the algorithm's surface as plain TypeErrors and DOMExceptions.
  if (failure instanceof errors.JOSEError || failure instanceof TypeError || failure instanceof DOMException) {
    return new CredentialRefusedError("TOKEN_SIGNATURE", { cause: failure });
  }
  return undefined;
}

function refusalOfClaim({ claim, reason }: errors.JWTClaimValidationFailed): CredentialRefusedError {
  if (claim === "aud") return new CredentialRefusedError("TOKEN_AUDIENCE");
  if (claim === "iss") return new CredentialRefusedError("TOKEN_ISSUER");
  if (claim === "nbf" && reason === "check_failed") {
    return new CredentialRefusedError("CREDENTIAL_MALFORMED", { text: "The token is not valid yet" });
  }
  return new CredentialRefusedError("CREDENTIAL_MALFORMED");
}
