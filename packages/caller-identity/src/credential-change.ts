import type { CredentialChanged } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { Caller } from "./caller.ts";
import { isDelegated } from "./delegation-credential.ts";
import { isOfNotebook } from "./notebook-credential.ts";
import { sessionCredentialId } from "./session-credential.ts";

/** What changed: a key, a session, a member, a role, or (when none is named) the whole organisation. */
export type CredentialChange = Pick<CredentialChanged, "organisationId" | "apiKeyId" | "memberId" | "roleId">;

/** A caller as it was obtained. */
export interface ExchangedCaller {
  readonly caller: Caller;
  /** A token and a key were shown together: the caller names only one of the two. */
  readonly paired: boolean;
}

/**
 * Whether a change can affect a caller. In doubt yes: forgetting costs one exchange. A caller does not say which roles
 * it holds, so a changed role concerns every caller of its organisation. A caller under a delegation or in a notebook does not
 * say which key it acts for.
 */
export function concerns(change: CredentialChange, { caller, paired }: ExchangedCaller): boolean {
  if (change.organisationId !== caller.organisationId) return false;
  if (change.apiKeyId) return paired || isCredential(change.apiKeyId, caller) || actsForKey(caller);
  if (change.memberId) return caller.memberId === change.memberId;
  return true;
}

/** A session of a key has the key's credential id, and ends with it. */
function isCredential(changed: string, { credentialId, sessionId }: Caller): boolean {
  return credentialId === changed || (sessionId !== undefined && sessionCredentialId(sessionId) === changed);
}

function actsForKey({ memberId, credentialId }: Caller): boolean {
  return memberId === undefined && (isDelegated(credentialId) || isOfNotebook(credentialId));
}
