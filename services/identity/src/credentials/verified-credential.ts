import { CredentialRefusedError } from "./credential-refused-error.ts";

/** Who a good credential stands for, and what it may do. */
export interface VerifiedCredential {
  /** Empty for the operator of the installation. */
  organisationId: string;
  /** Absent when a key acts for itself. */
  memberId: string | undefined;
  permissions: ReadonlySet<string>;
  /** A key's id, `issuer subject` of a token, or both of them with a space between. */
  credentialId: string;
  /** The browser's session, when the credential is one. */
  sessionId?: string | undefined;
  /** When it stops being good. Absent: never. */
  expiresAt: Date | undefined;
}

/**
 * A bearer with an API key beside it: the member is the bearer's, and only what both may do is left.
 * @throws CredentialRefusedError when they are of different organisations.
 */
export function combineCredentials(bearer: VerifiedCredential, apiKey: VerifiedCredential): VerifiedCredential {
  if (bearer.organisationId !== apiKey.organisationId) throw new CredentialRefusedError("CREDENTIALS_DISAGREE");
  if (bearer.credentialId === apiKey.credentialId) return bearer;
  return {
    organisationId: bearer.organisationId,
    memberId: bearer.memberId,
    permissions: new Set([...bearer.permissions].filter((permission) => apiKey.permissions.has(permission))),
    credentialId: `${bearer.credentialId} ${apiKey.credentialId}`,
    sessionId: bearer.sessionId ?? apiKey.sessionId,
    expiresAt: earlier(bearer.expiresAt, apiKey.expiresAt),
  };
}

/** The earlier of two ends; absent: there is none. */
export function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
