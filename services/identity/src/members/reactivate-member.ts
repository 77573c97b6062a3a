import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { memberReactivated } from "../events.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { permissionsOf } from "../roles/role.ts";
import { type Member, MemberNotFoundError, statusOfAllowed } from "./member.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "roles" | "outbox" | "transaction" | "clock">;

/**
 * Gives a deactivated member back what they had, or renews their invitation; one who is not deactivated stays as they are.
 * All that their roles grant counts as granted. Throws MemberNotFoundError, GrantExceedsCallerError.
 */
export function reactivateMember(
  { members, roles, outbox, transaction, clock }: Dependencies,
  { organisationId, permissions }: Granter,
  id: string,
): Promise<Member> {
  return transaction(async (session) => {
    const member = await members.find(organisationId, id, session);
    if (!member) throw new MemberNotFoundError(id);
    if (member.status !== "inactive") return member;
    assertMayGrant(permissions, permissionsOf(await roles.findAll(organisationId, member.roleIds, session)));
    const status = statusOfAllowed(member);
    await members.setStatus(organisationId, { id, status }, session);
    await outbox.stage(session, memberReactivated(member, clock()));
    return { ...member, status };
  });
}
