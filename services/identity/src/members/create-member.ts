import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { permissionsOf, unique } from "../roles/role.ts";
import { type Member, type NewMember, newMember } from "./member.ts";
import { memberAdded } from "./member-events.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "members" | "roles" | "quotas" | "outbox" | "transaction" | "clock" | "newId"
>;

/**
 * Adds a member, or invites one whom no issuer knows yet.
 * @throws IncompleteSubjectError, MemberTakenError, RoleNotFoundError, GrantExceedsCallerError, QuotaExceededError
 */
export function createMember(
  { members, roles, quotas, outbox, transaction, clock, newId }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  wanted: NewMember & { roleIds: string[] },
): Promise<Member> {
  const roleIds = unique(wanted.roleIds);
  const createdAt = clock();
  const member = newMember(wanted, { id: newId(), organisationId, roleIds, createdAt });
  return transaction(async (session) => {
    await roles.noteAssignment(organisationId, roleIds, session);
    assertMayGrant(permissions, permissionsOf(await roles.findAll(organisationId, roleIds, session)));
    await quotas.admit(organisationId, { members: 1 }, session);
    await members.insert(organisationId, member, session);
    await outbox.stage(session, memberAdded(member, createdAt));
    return member;
  });
}
