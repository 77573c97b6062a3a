/** Why a credential is refused, in words that help its owner but not an attacker. */
const refusalTexts = {
  CREDENTIAL_MISSING: "No credential was sent",
  CREDENTIAL_MALFORMED: "The credential is malformed",
  CREDENTIAL_UNKNOWN: "The API key is unknown",
  CREDENTIAL_EXPIRED: "The credential has expired",
  CREDENTIAL_REVOKED: "The API key was revoked",
  TOKEN_AUDIENCE: "The token is for another audience",
  TOKEN_ISSUER: "The token's issuer is not trusted here",
  TOKEN_SIGNATURE: "The token's signature does not verify",
  MEMBER_UNKNOWN: "The token's subject is no member of its organisation",
  ORGANISATION_UNDECIDED: "The token names no organisation, and it follows from nothing else",
  MEMBER_INACTIVE: "The member has been deactivated",
  CREDENTIALS_DISAGREE: "The bearer token and the API key belong to different organisations",
} as const;

/** One of the contract's reasons for UNAUTHENTICATED. */
export type CredentialRefusal = keyof typeof refusalTexts;

/** A credential is missing or bad. The cause is for the log; callers see reason and text. */
export class CredentialRefusedError extends Error {
  override name = "CredentialRefusedError";
  readonly reason: CredentialRefusal;
  constructor(reason: CredentialRefusal, options: { text?: string; cause?: unknown } = {}) {
    super(options.text ?? refusalTexts[reason], { cause: options.cause });
    this.reason = reason;
  }
}
