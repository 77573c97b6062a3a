import type { IdentityDependencies } from "../dependencies.ts";
import { type Role, RoleNotFoundError } from "./role.ts";

/** One role. Throws RoleNotFoundError. */
export async function getRole(
  { roles }: Pick<IdentityDependencies, "roles">,
  organisationId: string,
  id: string,
): Promise<Role> {
  const role = await roles.find(organisationId, id);
  if (!role) throw new RoleNotFoundError(id);
  return role;
}
