import type { IdentityDependencies } from "../dependencies.ts";
import { assertAdministratorRemains } from "./assert-administrator-remains.ts";
import type { Member } from "./member.ts";
import { memberCredentialChanged, memberDeactivated } from "./member-events.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "organisations" | "outbox" | "transaction" | "clock">;

/**
 * Takes a member's access, or an invitation, away; one who has none stays as they are.
 * @throws MemberNotFoundError, LastAdministratorError
 */
export function deactivateMember(dependencies: Dependencies, organisationId: string, id: string): Promise<Member> {
  const { members, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const member = await members.get(organisationId, id, session);
    if (member.status === "inactive") return member;
    await assertAdministratorRemains(dependencies, member, session);
    await members.setStatus(organisationId, { id, status: "inactive" }, session);
    const now = clock();
    // Same transaction: caches that are not told would let the member in for another minute.
    await outbox.stage(session, memberCredentialChanged(member, now), memberDeactivated(member, now));
    return { ...member, status: "inactive" };
  });
}
