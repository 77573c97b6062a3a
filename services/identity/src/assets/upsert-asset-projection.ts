import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Asset, AssetFacts } from "./asset.ts";

/** Stores what a service or caller says of an asset. One that is in no workspace makes automatic grouping due. */
export async function upsertAssetProjection(
  { assets, workspaceSettings, clock }: Pick<IdentityDependencies, "assets" | "workspaceSettings" | "clock">,
  { organisationId, facts, known }: { organisationId: string; facts: AssetFacts; known: Asset | undefined },
  session: ClientSession,
): Promise<Asset> {
  const time = clock();
  const asset = {
    ...facts,
    organisationId,
    workspaceIds: known?.workspaceIds ?? [],
    createdAt: known?.createdAt ?? time,
    updatedAt: time,
  };
  await (known ? assets.update(organisationId, asset, session) : assets.insert(organisationId, asset, session));
  if (asset.workspaceIds.length === 0) {
    // A burst of assets is one run: the first of them sets the time, and the others find it set.
    await workspaceSettings.scheduleGrouping(organisationId, time, session);
  }
  return asset;
}
