import type { PermissionId } from "../../api/platform.ts";

/** Permissions of one area, such as `training`. */
export interface PermissionArea {
  area: string;
  permissions: string[];
}

/** Permissions by the area that their name begins with, both in alphabetical order. */
export function permissionAreas(ids: readonly string[]): PermissionArea[] {
  const areas = Map.groupBy([...new Set(ids)].sort(), (id) => id.split(":")[0] ?? id);
  return [...areas].map(([area, permissions]) => ({ area, permissions }));
}

/** What opens a permission, as names of RPCs without their packages. */
export function rpcNames(rpcs: readonly string[]): string {
  return rpcs.map((rpc) => rpc.split("/").at(-1) ?? rpc).join(", ");
}

/** A slug for a name, as far as the API takes one: lower-case letters, digits and hyphens. */
export function slugOf(name: string): string {
  return (
    name
      .normalize("NFKD")
      // Accents, which are characters of their own after the line before.
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 63)
  );
}

/** The texts that are spelled like permissions. Which ones there are the platform knows: it refuses others. */
export function permissionIds(ids: readonly string[]): PermissionId[] {
  return ids.filter((id): id is PermissionId => /^[^:\s]+:[^:\s]+$/.test(id));
}
