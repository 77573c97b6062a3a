import type { ClientSession } from "@aiplatform/document-store";
import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { maxRoles, type Role, RoleLimitError, RoleSlugTakenError, readRole } from "./role.ts";
import { roleCreated } from "./role-events.ts";
import { isSystemSlug } from "./system-roles.ts";

type Dependencies = Pick<IdentityDependencies, "roles" | "organisations" | "outbox" | "catalogue" | "clock" | "newId">;

/** Makes a custom role. @throws InvalidFieldsError, GrantExceedsCallerError, RoleSlugTakenError, RoleLimitError */
export async function createRole(
  { roles, organisations, outbox, catalogue, clock, newId }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  wanted: Pick<Role, "name" | "slug" | "permissionIds">,
  session: ClientSession,
): Promise<Role> {
  const { name, permissionIds } = readRole(catalogue, wanted);
  assertMayGrant(permissions, permissionIds);
  if (isSystemSlug(wanted.slug)) throw new RoleSlugTakenError(wanted.slug);
  // Otherwise two could each count a role less than there are in the end.
  await organisations.lock(organisationId, session);
  if ((await roles.count(organisationId, session)) >= maxRoles) throw new RoleLimitError();
  const createdAt = clock();
  const role = { id: newId(), organisationId, name, slug: wanted.slug, isSystem: false, permissionIds, createdAt };
  await roles.insert(organisationId, role, session);
  await outbox.stage(session, roleCreated(role, createdAt));
  return role;
}
