import { apiKeyCredentialChanged, apiKeyRevoked } from "../api-keys/api-key-events.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { assertAdministratorRemains } from "./assert-administrator-remains.ts";
import type { Member } from "./member.ts";
import { memberCredentialChanged, memberDeactivated } from "./member-events.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "members" | "organisations" | "apiKeys" | "sessions" | "outbox" | "transaction" | "clock"
>;

interface Wanted {
  readonly organisationId: string;
  readonly memberId: string;
  /** Whether the keys that the member made stay valid. */
  readonly keepsApiKeys: boolean;
}

/**
 * Takes a member's access, or an invitation, away, ends their sessions, and revokes the keys that they made; one who has none stays as they are.
 * @throws MemberNotFoundError, LastAdministratorError
 */
export function deactivateMember(
  dependencies: Dependencies,
  { organisationId, memberId, keepsApiKeys }: Wanted,
): Promise<Member> {
  const { members, apiKeys, sessions, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const member = await members.get(organisationId, memberId, session);
    const now = clock();
    // Same transaction: caches that are not told would let the member and the keys in for another minute.
    if (member.status !== "inactive") {
      await assertAdministratorRemains(dependencies, member, session);
      await members.setStatus(organisationId, { id: memberId, status: "inactive" }, session);
      await outbox.stage(session, memberCredentialChanged(member, now), memberDeactivated(member, now));
    }
    // Deleted, so that none works again when the member is reactivated.
    await sessions.deleteOfHolder(organisationId, { memberId }, session);
    const revoked = keepsApiKeys ? [] : await apiKeys.revokeOfMember(organisationId, memberId, now, session);
    for (const { id } of revoked) await sessions.deleteOfHolder(organisationId, { apiKeyId: id }, session);
    await outbox.stage(
      session,
      ...revoked.flatMap((key) => [apiKeyCredentialChanged(key, now), apiKeyRevoked(key, now)]),
    );
    return { ...member, status: "inactive" };
  });
}
