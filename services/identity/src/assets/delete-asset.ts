import type { IdentityDependencies } from "../dependencies.ts";
import { assetDeleted } from "../workspaces/workspace-events.ts";
import { type Asset, AssetNotFoundError, assertRegisteredHere } from "./asset.ts";
import { forgetAsset } from "./forget-asset.ts";

/** Forgets an asset; it leaves its workspaces. Throws AssetNotFoundError, AssetOwnedError. */
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
    const asset = await assets.find(organisationId, assetId, session);
    if (!asset) throw new AssetNotFoundError(assetId);
    assertRegisteredHere(asset);
    const time = clock();
    await forgetAsset(dependencies, asset, time, session);
    await outbox.stage(session, assetDeleted(asset, time));
    return asset;
  });
}
