import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertAllFound, permissionsOf, withoutRepeats } from "../roles/role.ts";
import { type Member, type NewMember, newMember } from "./member.ts";

/** Adds a member. Throws HalfNamedSubjectError, MemberTakenError, RoleNotFoundError, GrantExceedsCallerError. */
export async function createMember(
  { members, roles, clock, newId }: Pick<IdentityDependencies, "members" | "roles" | "clock" | "newId">,
  { organisationId, permissions }: Granter,
  wanted: NewMember & { roleIds: string[] },
): Promise<Member> {
  const roleIds = withoutRepeats(wanted.roleIds);
  const member = newMember(wanted, { id: newId(), organisationId, roleIds, createdAt: clock() });
  const held = await roles.findAll(organisationId, roleIds);
  assertAllFound(roleIds, held);
  assertMayGrant(permissions, permissionsOf(held));
  await members.insert(organisationId, member);
  return member;
}
