import { hasSessionShape, sessionCredentialId, signInCodeCredentialId } from "@aiplatform/caller-identity";
import { CredentialRefusedError } from "../credentials/credential-refused-error.ts";
import { holderNow } from "../credentials/holder.ts";
import type { LastUsedRecorder } from "../credentials/last-used-recorder.ts";
import { earlier, type VerifiedCredential } from "../credentials/verified-credential.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { isOver, type Session } from "./session.ts";
import { sessionHashOf, signInCodeHashOf } from "./session-secrets.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "sessions" | "signInCodes" | "sessionLimits" | "hasher" | "members" | "roles" | "apiKeys" | "clock"
> & {
  /** Records when sessions were used. */
  sessionUses: LastUsedRecorder;
};

const unknown = () =>
  new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text: "The session is unknown or has ended: sign in again" });
const over = () => new CredentialRefusedError("CREDENTIAL_EXPIRED", { text: "The session has expired: sign in again" });

/** The caller in a browser's session, with what its member or key may do at this moment. @throws CredentialRefusedError */
export async function verifySession(dependencies: Dependencies, token: string): Promise<VerifiedCredential> {
  const { sessions, sessionLimits, hasher, clock, sessionUses } = dependencies;
  if (!hasSessionShape(token)) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  const session = await sessions.findByHash(sessionHashOf(hasher, token));
  if (!session) throw unknown();
  const now = clock();
  if (isOver(session, sessionLimits, now)) throw over();
  const verified = await verifiedIn(dependencies, session);
  sessionUses.record(session, now);
  return verified;
}

/** The caller in a session that has not ended. A session of a key has the key's credential id: to all others it is the key. @throws CredentialRefusedError */
export async function verifiedIn(
  dependencies: Pick<IdentityDependencies, "members" | "roles" | "apiKeys" | "clock">,
  { id, organisationId, holder, expiresAt }: Session,
): Promise<VerifiedCredential> {
  const now = await holderNow(dependencies, organisationId, holder);
  const credentialId = "memberId" in holder ? sessionCredentialId(id) : holder.apiKeyId;
  return { ...now, credentialId, sessionId: id, expiresAt: earlier(expiresAt, now.expiresAt) };
}

/** The caller with a one-time sign-in code: has no permission, and may open a session. @throws CredentialRefusedError */
export async function verifySignInCode(
  dependencies: Omit<Dependencies, "sessionUses">,
  code: string,
): Promise<VerifiedCredential> {
  const { signInCodes, hasher, clock } = dependencies;
  if (!hasSessionShape(code)) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  const found = await signInCodes.findByHash(signInCodeHashOf(hasher, code));
  if (!found) {
    const text = "The sign-in code is unknown, or was used before: make a new one";
    throw new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text });
  }
  const { id, organisationId, holder, expiresAt } = found;
  if (expiresAt <= clock()) {
    throw new CredentialRefusedError("CREDENTIAL_EXPIRED", { text: "The sign-in code has expired: make a new one" });
  }
  const { memberId } = await holderNow(dependencies, organisationId, holder);
  return { organisationId, memberId, permissions: new Set(), credentialId: signInCodeCredentialId(id), expiresAt };
}
