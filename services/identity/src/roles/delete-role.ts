import type { IdentityDependencies } from "../dependencies.ts";
import { type Role, RoleInUseError, RoleIsSystemError } from "./role.ts";
import { roleDeleted } from "./role-events.ts";

type Dependencies = Pick<IdentityDependencies, "roles" | "members" | "outbox" | "transaction" | "clock">;

/**
 * Deletes a custom role that no member holds, be they active or not. A member who is given the role meanwhile keeps it
 * from being deleted, or does not get it.
 * @throws RoleNotFoundError, RoleIsSystemError, RoleInUseError
 */
export function deleteRole(
  { roles, members, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  roleId: string,
): Promise<Role> {
  return transaction(async (session) => {
    const role = await roles.get(organisationId, roleId, session);
    if (role.isSystem) throw new RoleIsSystemError();
    if (await members.hasRoleHolder(organisationId, roleId, session)) throw new RoleInUseError();
    await roles.delete(organisationId, roleId, session);
    await outbox.stage(session, roleDeleted(role, clock()));
    return role;
  });
}
