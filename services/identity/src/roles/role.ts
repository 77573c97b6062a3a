import { createHash } from "node:crypto";
import { assertNone } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { unknownPermissions } from "../permissions/grant.ts";

/** A named set of permissions. */
export interface Role {
  id: string;
  /** Of a system role, the organisation that asked. */
  organisationId: string;
  name: string;
  slug: string;
  isSystem: boolean;
  permissionIds: string[];
  /** Of a system role, before that of any other. */
  createdAt: Date;
}

/** What tells versions of a role apart: it changes with what can be changed, and comes back with it. */
export function roleVersion({ name, permissionIds }: Pick<Role, "name" | "permissionIds">): string {
  return createHash("sha256")
    .update(JSON.stringify([name, permissionIds]))
    .digest("base64url")
    .slice(0, 22);
}

/** Custom roles that an organisation can have. */
export const maxRoles = 1_000;

/** Two roles of an organisation cannot share a slug. */
export class RoleSlugTakenError extends Error {
  override name = "RoleSlugTakenError";
  readonly slug: string;
  constructor(slug: string) {
    super(`The slug ${slug} is taken`);
    this.slug = slug;
  }
}

export class RoleNotFoundError extends NotFoundError {
  override name = "RoleNotFoundError";
}

/** The role is the platform's, and no caller of an organisation can change it. */
export class RoleIsSystemError extends Error {
  override name = "RoleIsSystemError";
  constructor() {
    super("The role is the system's");
  }
}

/** A member holds the role, so it stays. */
export class RoleInUseError extends Error {
  override name = "RoleInUseError";
  constructor() {
    super("A member holds the role");
  }
}

/** The organisation has as many custom roles as it can have. */
export class RoleLimitError extends Error {
  override name = "RoleLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${maxRoles} custom roles`);
  }
}

/** Name and permissions of a role as they are kept. @throws InvalidFieldsError with all that is wrong with them. */
export function readRole(
  catalogue: ReadonlySet<string>,
  { name, permissionIds }: Pick<Role, "name" | "permissionIds">,
): Pick<Role, "name" | "permissionIds"> {
  const trimmed = name.trim();
  const tooShort = {
    field: "name",
    reason: "STRING_TOO_SHORT",
    description: "String should have at least 1 character",
  };
  assertNone([...(trimmed === "" ? [tooShort] : []), ...unknownPermissions(catalogue, permissionIds)]);
  return { name: trimmed, permissionIds: unique(permissionIds) };
}

/** Those of the permissions that the role does not grant yet. */
export function addedTo({ permissionIds }: Pick<Role, "permissionIds">, wanted: readonly string[]): string[] {
  const granted = new Set(permissionIds);
  return wanted.filter((permission) => !granted.has(permission));
}

/** The first of each, in their order. */
export function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** What a caller may do who holds all of these roles. */
export function permissionsOf(roles: Iterable<Pick<Role, "permissionIds">>): Set<string> {
  const held = new Set<string>();
  for (const role of roles) for (const permission of role.permissionIds) held.add(permission);
  return held;
}

/** @throws RoleNotFoundError with the first wanted role that was not found. */
export function assertAllFound(wanted: readonly string[], found: readonly Pick<Role, "id">[]): void {
  const ids = new Set(found.map(({ id }) => id));
  for (const id of wanted) if (!ids.has(id)) throw new RoleNotFoundError(id);
}
