import type { ClientSession } from "@aiplatform/document-store";
import type { IdentityDependencies } from "../dependencies.ts";
import { assetRegistered } from "../workspaces/workspace-events.ts";
import {
  type Asset,
  type AssetFacts,
  AssetLimitError,
  assertRegisteredHere,
  isKnownAs,
  mostRegisteredAssets,
} from "./asset.ts";
import { learnOfAsset } from "./learn-of-asset.ts";

/** What registering works with. */
export type RegisterDependencies = Pick<IdentityDependencies, "assets" | "workspaceSettings" | "outbox" | "clock">;

/**
 * Makes an asset known, or changes what is known of it; what is known already changes and announces nothing. Throws
 * AssetOwnedError and, once as many are registered as may be, AssetLimitError; requests of the same instant may each find
 * room for theirs.
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
  if (!known && (await assets.countRegistered(organisationId, session)) >= mostRegisteredAssets) {
    throw new AssetLimitError(mostRegisteredAssets);
  }
  const asset = await learnOfAsset(dependencies, { organisationId, facts, known }, session);
  await outbox.stage(session, assetRegistered(asset, clock()));
  return asset;
}
