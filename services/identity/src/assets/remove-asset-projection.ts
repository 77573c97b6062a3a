import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Asset } from "./asset.ts";

/** Deletes the asset and takes it out of its workspaces. The event about it is the caller's task. */
export async function removeAssetProjection(
  { assets, memberships, workspaces }: Pick<IdentityDependencies, "assets" | "memberships" | "workspaces">,
  { id: assetId, organisationId, workspaceIds }: Pick<Asset, "id" | "organisationId" | "workspaceIds">,
  time: Date,
  session: ClientSession,
): Promise<void> {
  await assets.delete(organisationId, assetId, session);
  await memberships.deleteOfAsset(organisationId, assetId, session);
  await workspaces.removeAsset(organisationId, { assetId, workspaceIds, time }, session);
}
