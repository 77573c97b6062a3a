import type { ClientSession } from "@aiplatform/document-store";
import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { assertKnown, assertMayGrant } from "../permissions/grant.ts";
import { type Role, RoleSlugTakenError, withoutRepeats } from "./role.ts";
import { isSystemSlug } from "./system-roles.ts";

/** Makes a custom role. Throws UnknownPermissionError, GrantExceedsCallerError, RoleSlugTakenError. */
export async function createRole(
  { roles, catalogue, clock, newId }: Pick<IdentityDependencies, "roles" | "catalogue" | "clock" | "newId">,
  { organisationId, permissions }: Granter,
  wanted: Pick<Role, "name" | "slug" | "permissionIds">,
  session: ClientSession,
): Promise<Role> {
  assertKnown(catalogue, wanted.permissionIds);
  const permissionIds = withoutRepeats(wanted.permissionIds);
  assertMayGrant(permissions, permissionIds);
  if (isSystemSlug(wanted.slug)) throw new RoleSlugTakenError(wanted.slug);
  const { name, slug } = wanted;
  const role = { id: newId(), organisationId, name, slug, isSystem: false, permissionIds };
  await roles.insert(organisationId, role, clock(), session);
  return role;
}
