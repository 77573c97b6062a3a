import { type Caller, newSessionToken } from "@aiplatform/caller-identity";
import type { ClientSession, EventCause } from "@aiplatform/document-store";
import { CredentialRefusedError } from "../credentials/credential-refused-error.ts";
import { holderNow } from "../credentials/holder.ts";
import type { HolderRef } from "../credentials/holder-ref.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Member } from "../members/member.ts";
import {
  CredentialOpensNoSessionError,
  openingOf,
  type Session,
  type SessionMethod,
  SessionsOffError,
  shortUserAgent,
} from "./session.ts";
import { sessionCreated, sessionEnded, signInCodeUsed } from "./session-events.ts";
import { sessionHashOf } from "./session-secrets.ts";
import { switchTarget } from "./switch-target.ts";

export type OpenSessionDependencies = Pick<
  IdentityDependencies,
  | "sessions"
  | "signInCodes"
  | "sessionLimits"
  | "sessionCookie"
  | "issuers"
  | "members"
  | "roles"
  | "apiKeys"
  | "organisations"
  | "outbox"
  | "transaction"
  | "hasher"
  | "clock"
  | "newId"
  | "randomBytes"
>;

/** A new session, and its token, which only the cookie shows. */
export interface OpenedSession {
  session: Session;
  token: string;
}

/** What the browser asks for. */
export interface SessionWish {
  /** Where a session switches to. */
  organisationId: string | undefined;
  userAgent: string;
}

/** What the new session is to be. */
interface Plan {
  organisationId: string;
  holder: HolderRef;
  method: SessionMethod;
  /** No later than this. */
  notAfter?: Date;
  /** Who opens it. Default: the caller. */
  cause?: EventCause;
}

/**
 * Exchanges the caller's credential for a session.
 * @throws SessionsOffError, CredentialOpensNoSessionError, CredentialRefusedError, MemberNotFoundError
 */
export function openSession(
  dependencies: OpenSessionDependencies,
  caller: Caller,
  { organisationId: toOrganisationId, userAgent }: SessionWish,
): Promise<OpenedSession> {
  if (!dependencies.sessionCookie) throw new SessionsOffError();
  const opening = openingOf(caller, toOrganisationId);
  return dependencies.transaction(async (transaction) => {
    switch (opening.method) {
      case "sign_in_code": {
        const holder = await useCode(dependencies, { ...opening, organisationId: caller.organisationId }, transaction);
        await holderNow(dependencies, caller.organisationId, holder);
        const plan = { organisationId: caller.organisationId, holder, method: opening.method };
        return await insertSession(dependencies, plan, userAgent, transaction);
      }
      case "switch": {
        const { member, former } = await switchTarget(dependencies, { ...opening, caller }, transaction);
        const { organisationId, id: memberId } = member;
        const now = dependencies.clock();
        await dependencies.sessions.delete(former.organisationId, former.id, transaction);
        await dependencies.outbox.stage(transaction, ...sessionEnded(former, "switched", now));
        const plan = { organisationId, holder: { memberId }, method: opening.method, notAfter: former.expiresAt };
        // The next sign-in leads here again.
        await dependencies.members.setLastSeen(organisationId, memberId, now);
        return await insertSession(dependencies, plan, userAgent, transaction);
      }
      default: {
        const { organisationId } = caller;
        const { permissions } = await holderNow(dependencies, organisationId, opening.holder);
        assertHoldsAll(caller, permissions);
        return await insertSession(dependencies, { ...opening, organisationId }, userAgent, transaction);
      }
    }
  });
}

/** Opens a session of a member whom the identity provider has just named. */
export function openMemberSession(
  dependencies: OpenSessionDependencies,
  { organisationId, id: memberId, issuer, subject }: Pick<Member, "organisationId" | "id" | "issuer" | "subject">,
  userAgent: string,
): Promise<OpenedSession> {
  const cause = { memberId, credentialId: `${issuer} ${subject}` };
  const plan = { organisationId, holder: { memberId }, method: "identity_provider" as const, cause };
  return dependencies.transaction(async (transaction) => {
    // Here again: a member may have been deactivated meanwhile, and that ends only the sessions that there are.
    await holderNow(dependencies, organisationId, plan.holder);
    return await insertSession(dependencies, plan, userAgent, transaction);
  });
}

async function useCode(
  { signInCodes, outbox, clock }: OpenSessionDependencies,
  { organisationId, codeId }: { organisationId: string; codeId: string },
  transaction: ClientSession,
): Promise<HolderRef> {
  const code = await signInCodes.find(organisationId, codeId, transaction);
  const isUsable = code !== undefined && code.expiresAt > clock();
  if (!isUsable || !(await signInCodes.delete(organisationId, codeId, transaction))) {
    throw new CredentialRefusedError("CREDENTIAL_REVOKED", { text: "The sign-in code was used before" });
  }
  await outbox.stage(transaction, signInCodeUsed(code, clock()));
  return code.holder;
}

/** A key beside a token may do less than the token's member: the session would do more. @throws CredentialOpensNoSessionError */
export function assertHoldsAll(caller: Pick<Caller, "permissions">, wanted: ReadonlySet<string>): void {
  for (const permission of wanted) if (!caller.permissions.has(permission)) throw new CredentialOpensNoSessionError();
}

/** Stores a session in the transaction of the caller; the oldest beyond the number that a holder may have end. */
async function insertSession(
  dependencies: OpenSessionDependencies,
  { organisationId, holder, method, notAfter, cause }: Plan,
  userAgent: string,
  transaction: ClientSession,
): Promise<OpenedSession> {
  const { sessions, sessionLimits, outbox, hasher, clock, newId, randomBytes } = dependencies;
  const now = clock();
  const end = Math.min(now.getTime() + sessionLimits.maxMs, notAfter?.getTime() ?? Number.POSITIVE_INFINITY);
  const token = newSessionToken(randomBytes);
  const session: Session = {
    ...{ id: newId(), organisationId, holder, method },
    userAgent: shortUserAgent(userAgent),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(end),
  };
  await sessions.insert(organisationId, session, sessionHashOf(hasher, token), transaction);
  const surplus = await sessions.findSurplus(organisationId, holder, transaction);
  for (const { id } of surplus) await sessions.delete(organisationId, id, transaction);
  const ended = surplus.flatMap((each) => sessionEnded(each, "too_many", now));
  await outbox.stage(transaction, sessionCreated(session, cause), ...ended);
  return { session, token };
}
