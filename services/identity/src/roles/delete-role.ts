import type { IdentityDependencies } from "../dependencies.ts";
import { roleDeleted } from "../events.ts";
import { type Role, RoleInUseError, RoleIsSystemError, RoleNotFoundError } from "./role.ts";

type Dependencies = Pick<IdentityDependencies, "roles" | "members" | "outbox" | "transaction" | "clock">;

/**
 * Deletes a custom role that no member holds, be they active or not. A member who is given the role meanwhile keeps it from
 * being deleted, or does not get it. Throws RoleNotFoundError, RoleIsSystemError, RoleInUseError.
 */
export function deleteRole(
  { roles, members, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  roleId: string,
): Promise<Role> {
  return transaction(async (session) => {
    const role = await roles.find(organisationId, roleId, session);
    if (!role) throw new RoleNotFoundError(roleId);
    if (role.isSystem) throw new RoleIsSystemError();
    if (await members.someoneHolds(organisationId, roleId, session)) throw new RoleInUseError();
    await roles.delete(organisationId, roleId, session);
    await outbox.stage(session, roleDeleted(role, clock()));
    return role;
  });
}
