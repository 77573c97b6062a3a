import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { permissionsOf } from "../roles/role.ts";
import { type Member, statusWhenAllowed } from "./member.ts";
import { memberReactivated } from "./member-events.ts";

type Dependencies = Pick<IdentityDependencies, "members" | "roles" | "quotas" | "outbox" | "transaction" | "clock">;

/**
 * Gives a deactivated member back what they had, or renews their invitation; one who is not deactivated stays as they
 * are. All that their roles grant counts as granted.
 * @throws MemberNotFoundError, GrantExceedsCallerError, QuotaExceededError
 */
export function reactivateMember(
  { members, roles, quotas, outbox, transaction, clock }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  id: string,
): Promise<Member> {
  return transaction(async (session) => {
    const member = await members.get(organisationId, id, session);
    if (member.status !== "inactive") return member;
    assertMayGrant(permissions, permissionsOf(await roles.findAll(organisationId, member.roleIds, session)));
    await quotas.admit(organisationId, { members: 1 }, session);
    const status = statusWhenAllowed(member);
    await members.setStatus(organisationId, { id, status }, session);
    await outbox.stage(session, memberReactivated(member, clock()));
    return { ...member, status };
  });
}
