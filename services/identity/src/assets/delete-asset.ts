import type { IdentityDependencies } from "../dependencies.ts";
import { type Asset, assertRegisteredHere } from "./asset.ts";
import { assetDeleted } from "./asset-events.ts";
import { removeAssetProjection } from "./remove-asset-projection.ts";

/** Deletes an asset and takes it out of its workspaces. @throws AssetNotFoundError, AssetOwnedError */
export function deleteAsset(
  dependencies: Pick<
    IdentityDependencies,
    "assets" | "memberships" | "workspaces" | "outbox" | "transaction" | "clock"
  >,
  organisationId: string,
  assetId: string,
): Promise<Asset> {
  const { assets, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const asset = await assets.get(organisationId, assetId, session);
    assertRegisteredHere(asset);
    const time = clock();
    await removeAssetProjection(dependencies, asset, time, session);
    await outbox.stage(session, assetDeleted(asset, time));
    return asset;
  });
}
