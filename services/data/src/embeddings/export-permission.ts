import type { Caller } from "@aiplatform/caller-identity";

/** What sending texts to a service outside of the platform needs. */
export const exportPermission = "data:export";

/** The request sends texts out of the platform, and the caller may not. */
export class ExportPermissionMissingError extends Error {
  override name = "ExportPermissionMissingError";
  constructor() {
    super(`Missing permission: ${exportPermission}`);
  }
}

/** @throws ExportPermissionMissingError */
export function assertMayExport({ permissions }: Pick<Caller, "permissions">): void {
  if (!permissions.has(exportPermission)) throw new ExportPermissionMissingError();
}
