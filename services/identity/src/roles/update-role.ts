import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { addedTo, type Role, RoleIsSystemError, readRole } from "./role.ts";
import { roleCredentialChanged, roleUpdated } from "./role-events.ts";

type Dependencies = Pick<IdentityDependencies, "roles" | "outbox" | "transaction" | "catalogue" | "clock">;

/**
 * Replaces a custom role's name and permissions; only what is added counts as granted. What changes nothing announces
 * nothing.
 * @throws InvalidFieldsError, RoleNotFoundError, RoleIsSystemError, GrantExceedsCallerError
 */
export function updateRole(
  { roles, outbox, transaction, catalogue, clock }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  { roleId, ...wanted }: Pick<Role, "name" | "permissionIds"> & { roleId: string },
): Promise<Role> {
  const { name, permissionIds } = readRole(catalogue, wanted);
  return transaction(async (session) => {
    const role = await roles.get(organisationId, roleId, session);
    if (role.isSystem) throw new RoleIsSystemError();
    const updated = { ...role, name, permissionIds };
    const added = addedTo(role, permissionIds);
    assertMayGrant(permissions, added);
    if (role.name === name && role.permissionIds.join() === permissionIds.join()) return role;
    await roles.update(organisationId, updated, session);
    const now = clock();
    // Same transaction: caches that are not told would keep the old permissions for another minute.
    const isOtherSet = added.length > 0 || addedTo(updated, role.permissionIds).length > 0;
    await outbox.stage(session, roleUpdated(updated, now), ...(isOtherSet ? [roleCredentialChanged(role, now)] : []));
    return updated;
  });
}
