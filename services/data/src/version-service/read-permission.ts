import type { Caller } from "@aiplatform/caller-identity";

/** What making a version of rows needs, beside writing: what it answers tells of them. */
export const readPermission = "data:read";

/** The request reads more than the caller may. */
export class ReadPermissionMissingError extends Error {
  override name = "ReadPermissionMissingError";
  constructor() {
    super(`Missing permission: ${readPermission}`);
  }
}

/** @throws ReadPermissionMissingError */
export function assertMayRead({ permissions }: Pick<Caller, "permissions">): void {
  if (!permissions.has(readPermission)) throw new ReadPermissionMissingError();
}
