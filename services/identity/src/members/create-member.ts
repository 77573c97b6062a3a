import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { memberAdded } from "../events.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertAllFound, permissionsOf, withoutRepeats } from "../roles/role.ts";
import { type Member, type NewMember, newMember } from "./member.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "roles" | "outbox" | "transaction" | "clock" | "newId">;

/**
 * Adds a member, or invites one whom no issuer knows yet.
 * Throws HalfNamedSubjectError, MemberTakenError, RoleNotFoundError, GrantExceedsCallerError.
 */
export function createMember(
  { members, roles, outbox, transaction, clock, newId }: Dependencies,
  { organisationId, permissions }: Granter,
  wanted: NewMember & { roleIds: string[] },
): Promise<Member> {
  const roleIds = withoutRepeats(wanted.roleIds);
  const createdAt = clock();
  const member = newMember(wanted, { id: newId(), organisationId, roleIds, createdAt });
  return transaction(async (session) => {
    const held = await roles.findAll(organisationId, roleIds, session);
    assertAllFound(roleIds, held);
    assertMayGrant(permissions, permissionsOf(held));
    await roles.noteAssignment(organisationId, held, session);
    await members.insert(organisationId, member, session);
    await outbox.stage(session, memberAdded(member, createdAt));
    return member;
  });
}
