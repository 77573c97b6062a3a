import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { memberChanged, memberRolesSet } from "../events.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertAllFound, permissionsOf, withoutRepeats } from "../roles/role.ts";
import { assertAdministratorRemains } from "./assert-administrator-remains.ts";
import { isActiveAdministrator, type Member, MemberNotFoundError, sameRoles } from "./member.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "members" | "roles" | "organisations" | "outbox" | "transaction" | "clock"
>;

/**
 * Replaces a member's roles; only roles that are new to the member count as granted.
 * Throws MemberNotFoundError, RoleNotFoundError, GrantExceedsCallerError, LastAdministratorError.
 */
export function setMemberRoles(
  dependencies: Dependencies,
  { organisationId, permissions }: Granter,
  wanted: { memberId: string; roleIds: string[] },
): Promise<Member> {
  const { members, roles, outbox, transaction, clock } = dependencies;
  const roleIds = withoutRepeats(wanted.roleIds);
  return transaction(async (session) => {
    const member = await members.find(organisationId, wanted.memberId, session);
    if (!member) throw new MemberNotFoundError(wanted.memberId);
    const held = await roles.findAll(organisationId, roleIds, session);
    assertAllFound(roleIds, held);
    const added = held.filter(({ id }) => !member.roleIds.includes(id));
    assertMayGrant(permissions, permissionsOf(added));
    if (sameRoles(roleIds, member.roleIds)) return member;
    const changed = { ...member, roleIds };
    if (!isActiveAdministrator(changed)) await assertAdministratorRemains(dependencies, member, session);
    await roles.noteAssignment(organisationId, added, session);
    await members.setRoles(organisationId, changed, session);
    const now = clock();
    // Same transaction: caches that are not told would keep the old permissions for another minute.
    await outbox.stage(session, memberChanged(member, now), memberRolesSet(changed, now));
    return changed;
  });
}
