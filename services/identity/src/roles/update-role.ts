import { assertMatch } from "@aiplatform/service-kit/entity-tag";
import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { addedTo, type Role, RoleIsSystemError, readRole, roleVersion } from "./role.ts";
import { roleCredentialChanged, roleUpdated } from "./role-events.ts";

type Dependencies = Pick<IdentityDependencies, "roles" | "outbox" | "transaction" | "catalogue" | "clock">;

/** What a role is to be from now on. */
interface RoleChange extends Pick<Role, "name" | "permissionIds"> {
  roleId: string;
  /** Tags, one of which the role must have. Empty: whatever it has. */
  ifMatch: string;
}

/**
 * Replaces a custom role's name and permissions; only what is added counts as granted. What changes nothing announces
 * nothing.
 * @throws InvalidFieldsError, RoleNotFoundError, RoleIsSystemError, GrantExceedsCallerError, EntityTagMismatchError
 */
export function updateRole(
  { roles, outbox, transaction, catalogue, clock }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  { roleId, ifMatch, ...wanted }: RoleChange,
): Promise<Role> {
  const { name, permissionIds } = readRole(catalogue, wanted);
  return transaction(async (session) => {
    const role = await roles.get(organisationId, roleId, session);
    if (role.isSystem) throw new RoleIsSystemError();
    const updated = { ...role, name, permissionIds };
    const added = addedTo(role, permissionIds);
    assertMayGrant(permissions, added);
    // Before the condition: a repeat whose first answer was lost finds its own change.
    if (role.name === name && role.permissionIds.join() === permissionIds.join()) return role;
    assertMatch(ifMatch, roleVersion(role), "role");
    await roles.update(organisationId, updated, session);
    const now = clock();
    // Same transaction: caches that are not told would keep the old permissions for another minute.
    const isOtherSet = added.length > 0 || addedTo(updated, role.permissionIds).length > 0;
    await outbox.stage(session, roleUpdated(updated, now), ...(isOtherSet ? [roleCredentialChanged(role, now)] : []));
    return updated;
  });
}
