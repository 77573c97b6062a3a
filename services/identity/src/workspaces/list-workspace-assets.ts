import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Membership } from "./workspace.ts";

/**
 * What is in a workspace and why, each asset by the name it has today.
 * @throws WorkspaceNotFoundError, InvalidListRequestError, InvalidCursorError
 */
export async function listWorkspaceAssets(
  { assets, workspaces, memberships }: Pick<IdentityDependencies, "assets" | "workspaces" | "memberships">,
  organisationId: string,
  { workspaceId, ...request }: ListPageRequest & { workspaceId: string },
): Promise<Page<Membership>> {
  await workspaces.get(organisationId, workspaceId);
  const { items, nextCursor } = await memberships.list(organisationId, workspaceId, request);
  const ids = items.map(({ assetId }) => assetId);
  const names = new Map((await assets.findAll(organisationId, ids)).map(({ id, name }) => [id, name]));
  const named = items.map((item) => ({ ...item, assetName: names.get(item.assetId) || item.assetName }));
  return { items: named, nextCursor };
}
