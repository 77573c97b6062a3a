/** A named set of permissions. */
export interface Role {
  id: string;
  /** Of a system role, the organisation that asked. */
  organisationId: string;
  name: string;
  slug: string;
  isSystem: boolean;
  permissionIds: string[];
}

/** Two roles of an organisation cannot share a slug. */
export class RoleSlugTakenError extends Error {
  override name = "RoleSlugTakenError";
  readonly slug: string;
  constructor(slug: string) {
    super(`The slug ${slug} is taken`);
    this.slug = slug;
  }
}

/** The role does not exist, or not here. */
export class RoleNotFoundError extends Error {
  override name = "RoleNotFoundError";
  readonly roleId: string;
  constructor(roleId: string) {
    super("Not found");
    this.roleId = roleId;
  }
}

/** The first of each, in their order. */
export function withoutRepeats<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** What somebody may do who holds all of these roles. */
export function permissionsOf(roles: Iterable<Pick<Role, "permissionIds">>): Set<string> {
  const held = new Set<string>();
  for (const role of roles) for (const permission of role.permissionIds) held.add(permission);
  return held;
}

/** Throws RoleNotFoundError with the first wanted role that was not found. */
export function assertAllFound(wanted: readonly string[], found: readonly Pick<Role, "id">[]): void {
  const ids = new Set(found.map(({ id }) => id));
  for (const id of wanted) if (!ids.has(id)) throw new RoleNotFoundError(id);
}
