import type { Caller } from "@aiplatform/caller-identity";
import { holderOf } from "../credentials/holder-ref.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { isSameHolder, type Session, SessionNotFoundError } from "./session.ts";
import { type SessionEnd, sessionEnded } from "./session-events.ts";

type Dependencies = Pick<IdentityDependencies, "sessions" | "outbox" | "transaction" | "clock">;

/** What lets a caller see and end the sessions of others. */
export const sessionsOfOthersPermission = "members:manage";

/** Ends the session that the caller is in, and nothing where the credential is no session. */
export async function signOut(dependencies: Dependencies, { organisationId, sessionId }: Caller): Promise<void> {
  if (sessionId === undefined) return;
  await end(dependencies, organisationId, { id: sessionId, reason: "signed_out", mayEnd: () => true });
}

/** Ends a session of the caller's, or with the permission any of the organisation. @throws SessionNotFoundError */
export async function revokeSession(dependencies: Dependencies, caller: Caller, id: string): Promise<void> {
  const holder = holderOf(caller);
  const mayEnd = (session: Session) =>
    isSameHolder(session.holder, holder) || caller.permissions.has(sessionsOfOthersPermission);
  if (!(await end(dependencies, caller.organisationId, { id, reason: "revoked", mayEnd }))) {
    throw new SessionNotFoundError(id);
  }
}

function end(
  { sessions, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  { id, reason, mayEnd }: { id: string; reason: SessionEnd; mayEnd: (session: Session) => boolean },
): Promise<boolean> {
  return transaction(async (session) => {
    const found = await sessions.find(organisationId, id, session);
    if (!found || !mayEnd(found)) return false;
    await sessions.delete(organisationId, id, session);
    // Same transaction: caches that are not told would let the session in for another minute.
    await outbox.stage(session, ...sessionEnded(found, reason, clock()));
    return true;
  });
}
