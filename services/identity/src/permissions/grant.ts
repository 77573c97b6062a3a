/** Somebody tried to hand on a permission that they do not hold. */
export class GrantExceedsCallerError extends Error {
  override name = "GrantExceedsCallerError";
  readonly permission: string;
  constructor(permission: string) {
    super(`Missing permission: ${permission}`);
    this.permission = permission;
  }
}

/** A permission that no RPC of the platform knows. */
export class UnknownPermissionError extends Error {
  override name = "UnknownPermissionError";
  /** Where it stands in the request, such as `permission_ids[2]`. */
  readonly field: string;
  readonly permission: string;
  constructor(field: string, permission: string) {
    super("is not a known permission");
    this.field = field;
    this.permission = permission;
  }
}

/** Throws GrantExceedsCallerError with the first wanted permission that is not held. */
export function assertMayGrant(held: ReadonlySet<string>, wanted: Iterable<string>): void {
  for (const permission of wanted) if (!held.has(permission)) throw new GrantExceedsCallerError(permission);
}

/** Throws UnknownPermissionError with the first that the catalogue does not hold. */
export function assertKnown(catalogue: ReadonlySet<string>, permissionIds: readonly string[]): void {
  for (const [index, permission] of permissionIds.entries()) {
    if (!catalogue.has(permission)) throw new UnknownPermissionError(`permission_ids[${index}]`, permission);
  }
}
