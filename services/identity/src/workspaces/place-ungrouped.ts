import type { ClientSession } from "@aiplatform/document-store";
import type { Asset } from "../assets/asset.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import {
  type ExistingWorkspace,
  type Grouping,
  group,
  groupingVersion,
  type NewWorkspace,
  type PlacedAsset,
} from "./grouping.ts";
import { assertWithinLimits, type Membership, type Workspace } from "./workspace.ts";

export type PlacingDependencies = Pick<
  IdentityDependencies,
  "assets" | "workspaces" | "memberships" | "clock" | "newId"
>;

/** Assets that one run looks at; the oldest first, so that what is left is next. */
const maxUngroupedAssets = 10_000;
/** Assets by which a run knows what is in the workspaces. */
const maxGroupedAssets = 20_000;

/**
 * Puts the organisation's ungrouped assets where the rule says, and answers the workspaces made or grown. If another
 * call groups one of the assets meanwhile, the transaction runs again.
 * @throws WorkspaceLimitError
 */
export async function placeUngrouped(
  dependencies: PlacingDependencies,
  organisationId: string,
  session: ClientSession,
): Promise<string[]> {
  const { assets, workspaces, memberships, clock, newId } = dependencies;
  const ungrouped = await assets.ungrouped(organisationId, maxUngroupedAssets, session);
  const outcome = group(ungrouped, await findExistingWorkspaces(dependencies, organisationId, session));
  const time = clock();
  const { made, placed } = resolved(outcome, { organisationId, newId, time });
  if (placed.length === 0) return [];

  const names = new Map(ungrouped.map(({ id, name }) => [id, name]));
  // The assets first: a transaction that meets another one there holds nothing else yet.
  const moves = placed.map(({ workspaceId, assets: put }) => {
    return { workspaceId, added: put.map(({ assetId }) => assetId), removed: [] };
  });
  await assets.move(organisationId, moves, session);
  const facts = { organisationId, names, time };
  const put = placed.flatMap((workspace) =>
    workspace.assets.map((asset, at) => membershipOf(asset, { ...facts, ...workspace, at })),
  );
  await memberships.put(organisationId, put, session);
  await workspaces.insertMany(organisationId, made, session);
  const growth = outcome.grown.map(({ workspaceId, assets: { length: by } }) => ({ workspaceId, by }));
  await workspaces.grow(organisationId, { growth, time }, session);
  assertWithinLimits({
    workspaces: await workspaces.count(organisationId, session),
    memberships: await memberships.count(organisationId, session),
  });
  return placed.map(({ workspaceId }) => workspaceId);
}

async function findExistingWorkspaces(
  { assets, workspaces }: PlacingDependencies,
  organisationId: string,
  session: ClientSession,
): Promise<ExistingWorkspace[]> {
  const creations = await workspaces.findCreationTimes(organisationId, session);
  const held = new Map<string, Asset[]>([...creations.keys()].map((id) => [id, []]));
  for (const asset of await assets.grouped(organisationId, maxGroupedAssets, session)) {
    for (const id of asset.workspaceIds) held.get(id)?.push(asset);
  }
  return [...creations].map(([workspaceId, createdAt]) => {
    return { workspaceId, createdAt, assets: held.get(workspaceId) ?? [] };
  });
}

/** Assets that are put into a workspace. */
interface PlacedInto {
  workspaceId: string;
  seedAssetId: string | undefined;
  assets: readonly PlacedAsset[];
}

function resolved(
  { grown, made }: Grouping,
  { organisationId, newId, time }: { organisationId: string; newId: () => string; time: Date },
): { made: Workspace[]; placed: PlacedInto[] } {
  const workspaceOf = ({ name, description, seedAssetId, assets }: NewWorkspace): Workspace => {
    const dates = { createdAt: time, updatedAt: time };
    return { id: newId(), organisationId, name, description, seedAssetId, assetCount: assets.length, ...dates };
  };
  const pairs = made.map((each) => ({ workspace: workspaceOf(each), each }));
  return {
    made: pairs.map(({ workspace }) => workspace),
    placed: [
      ...grown.map((each) => ({ ...each, seedAssetId: undefined })),
      ...pairs.map(({ workspace, each }) => ({ ...each, workspaceId: workspace.id })),
    ],
  };
}

interface PlacingFacts extends Omit<PlacedInto, "assets"> {
  organisationId: string;
  names: ReadonlyMap<string, string>;
  /** Its place among those put there. */
  at: number;
  time: Date;
}

function membershipOf({ assetId, by, shared, confidence }: PlacedAsset, facts: PlacingFacts): Membership {
  const { workspaceId, seedAssetId, organisationId, names, at: position, time } = facts;
  const isSeed = assetId === seedAssetId;
  return {
    ...{ workspaceId, organisationId, assetId, assetName: names.get(assetId) ?? "", confidence, position },
    role: isSeed ? "primary" : "supporting",
    source: isSeed ? "seed" : "auto",
    evidence: JSON.stringify(by === "dataset" ? { shared_datasets: shared } : { shared_words: shared }),
    algorithmVersion: groupingVersion,
    createdAt: time,
    updatedAt: time,
  };
}
