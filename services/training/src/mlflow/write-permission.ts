import type { Caller } from "@aiplatform/caller-identity";

/** What changing a run needs, beside reporting of it. */
export const writePermission = "training:write";

/** The request changes more than the caller may. */
export class WritePermissionMissingError extends Error {
  override name = "WritePermissionMissingError";
  constructor() {
    super(`Missing permission: ${writePermission}`);
  }
}

/** @throws WritePermissionMissingError */
export function assertMayWrite({ permissions }: Pick<Caller, "permissions">): void {
  if (!permissions.has(writePermission)) throw new WritePermissionMissingError();
}
