import type { Feature } from "../api/platform.ts";

/** What asking for a deletion does to a feature. */
export type Deletion = "delete" | "deprecate" | "nothing";

/** See the table of docs/api/feature-memory.md: what is used, or is to be kept, is deprecated; all else is deleted. */
export function deletionOf(status: Feature["status"], { isUsed, keep }: { isUsed: boolean; keep: boolean }): Deletion {
  if (!isUsed && !keep) return "delete";
  return status === "deprecated" ? "nothing" : "deprecate";
}

/** How many things use a feature, as the API's sentence says it: the list of them may be shorter. */
export function userCount(message: string, listed: number): number {
  return Math.max(listed, Number(/^\d+/.exec(message)?.[0] ?? 0));
}

/** The page of something that uses a feature; undefined where it has none. */
export function usageAddress(asset_type: string, asset_id: string): string | undefined {
  const folders: Readonly<Record<string, string>> = {
    deployment: "/deployments",
    model: "/models",
    workspace: "/people/workspaces",
    automation: "/automations",
  };
  const folder = folders[asset_type];
  return folder === undefined ? undefined : `${folder}/${encodeURIComponent(asset_id)}`;
}
