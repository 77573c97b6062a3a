import type { FieldViolation } from "@aiplatform/service-host";

/** A caller tried to grant a permission that they do not hold. */
export class GrantExceedsCallerError extends Error {
  override name = "GrantExceedsCallerError";
  readonly permission: string;
  constructor(permission: string) {
    super(`Missing permission: ${permission}`);
    this.permission = permission;
  }
}

/** @throws GrantExceedsCallerError with the first wanted permission that is not held. */
export function assertMayGrant(held: ReadonlySet<string>, wanted: Iterable<string>): void {
  for (const permission of wanted) if (!held.has(permission)) throw new GrantExceedsCallerError(permission);
}

/** What is wrong with a request's `permission_ids`: all that no RPC of the platform knows. */
export function unknownPermissions(catalogue: ReadonlySet<string>, permissionIds: readonly string[]): FieldViolation[] {
  const [reason, description] = ["PERMISSION_UNKNOWN", "is not a known permission"];
  return permissionIds.flatMap((permission, index) =>
    catalogue.has(permission) ? [] : [{ field: `permission_ids[${index}]`, reason, description }],
  );
}
