import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import {
  type Asset,
  type AssetFacts,
  AssetLimitError,
  assertRegisteredHere,
  isKnownAs,
  maxRegisteredAssets,
} from "./asset.ts";
import { assetRegistered } from "./asset-events.ts";
import { upsertAssetProjection } from "./upsert-asset-projection.ts";

export type RegisterDependencies = Pick<IdentityDependencies, "assets" | "workspaceSettings" | "outbox" | "clock">;

/**
 * Registers an asset or changes its facts. What is stored already changes and announces nothing.
 * @throws AssetOwnedError and, once as many are registered as may be, AssetLimitError; requests of the same instant may
 * each find room for theirs.
 */
export async function registerAsset(
  dependencies: RegisterDependencies,
  organisationId: string,
  wanted: Omit<AssetFacts, "owner">,
  session: ClientSession,
): Promise<Asset> {
  const { assets, outbox, clock } = dependencies;
  const facts = { ...wanted, datasetIds: [...new Set(wanted.datasetIds)], owner: undefined };
  const known = await assets.find(organisationId, facts.id, session);
  if (known) assertRegisteredHere(known);
  if (known && isKnownAs(known, facts)) return known;
  if (!known && (await assets.countRegistered(organisationId, session)) >= maxRegisteredAssets) {
    throw new AssetLimitError(maxRegisteredAssets);
  }
  const asset = await upsertAssetProjection(dependencies, { organisationId, facts, known }, session);
  await outbox.stage(session, assetRegistered(asset, clock()));
  return asset;
}
