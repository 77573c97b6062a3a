import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertAllFound, permissionsOf, unique } from "../roles/role.ts";
import { assertAdministratorRemains } from "./assert-administrator-remains.ts";
import { isAdministrator, type Member, sameRoles } from "./member.ts";
import { memberCredentialChanged, memberRolesSet } from "./member-events.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "members" | "roles" | "organisations" | "outbox" | "transaction" | "clock"
>;

/**
 * Replaces a member's roles; only roles that are new to the member count as granted.
 * @throws MemberNotFoundError, RoleNotFoundError, GrantExceedsCallerError, LastAdministratorError
 */
export function setMemberRoles(
  dependencies: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  wanted: { memberId: string; roleIds: string[] },
): Promise<Member> {
  const { members, roles, outbox, transaction, clock } = dependencies;
  const roleIds = unique(wanted.roleIds);
  return transaction(async (session) => {
    const member = await members.get(organisationId, wanted.memberId, session);
    const added = roleIds.filter((id) => !member.roleIds.includes(id));
    const grants = await roles.findAll(organisationId, added, session);
    assertAllFound(added, grants);
    assertMayGrant(permissions, permissionsOf(grants));
    if (sameRoles(roleIds, member.roleIds)) return member;
    const changed = { ...member, roleIds };
    if (!isAdministrator(changed)) await assertAdministratorRemains(dependencies, member, session);
    await roles.noteAssignment(organisationId, added, session);
    await members.setRoles(organisationId, changed, session);
    const now = clock();
    // Same transaction: caches that are not told would keep the old permissions for another minute.
    await outbox.stage(session, memberCredentialChanged(member, now), memberRolesSet(changed, now));
    return changed;
  });
}
