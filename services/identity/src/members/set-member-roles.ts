import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { memberChanged } from "../events.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertAllFound, permissionsOf, withoutRepeats } from "../roles/role.ts";
import { type Member, MemberNotFoundError, sameRoles } from "./member.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "roles" | "outbox" | "transaction" | "clock">;

/**
 * Replaces a member's roles; only roles that are new to the member count as granted.
 * Throws MemberNotFoundError, RoleNotFoundError, GrantExceedsCallerError.
 */
export function setMemberRoles(
  { members, roles, outbox, transaction, clock }: Dependencies,
  { organisationId, permissions }: Granter,
  wanted: { memberId: string; roleIds: string[] },
): Promise<Member> {
  const roleIds = withoutRepeats(wanted.roleIds);
  return transaction(async (session) => {
    const member = await members.find(organisationId, wanted.memberId, session);
    if (!member) throw new MemberNotFoundError(wanted.memberId);
    const held = await roles.findAll(organisationId, roleIds, session);
    assertAllFound(roleIds, held);
    assertMayGrant(permissions, permissionsOf(held.filter(({ id }) => !member.roleIds.includes(id))));
    if (sameRoles(roleIds, member.roleIds)) return member;
    await members.setRoles(organisationId, member.id, roleIds, session);
    // Same transaction: caches that are not told would keep the old permissions for another minute.
    await outbox.stage(session, memberChanged(member, clock()));
    return { ...member, roleIds };
  });
}
