import type { FieldViolation } from "@aiplatform/service-host";

export interface ProposedAsset {
  assetId: string;
  assetName: string;
  role: string;
  source: string;
  confidence: number;
  /** JSON text of an object. */
  evidence: string;
}

export interface ProposedWorkspace {
  name: string;
  draftId: string;
  description: string;
  seedAssetId?: string | undefined;
  assets: ProposedAsset[];
}

/** Workspaces that a caller proposes. */
export interface Proposal {
  algorithmVersion: string;
  workspaces: ProposedWorkspace[];
}

/** Assets in all workspaces of one proposal. */
export const maxProposedAssets = 5_000;

/** Everything that is wrong with a proposal whatever the organisation has. */
export function violationsOf({ workspaces }: Proposal): FieldViolation[] {
  const drafts = new Set<string>();
  const found = workspaces.flatMap((workspace, index) => {
    const path = `workspaces[${index}]`;
    const repeated = drafts.has(workspace.draftId);
    drafts.add(workspace.draftId);
    return [
      ...(repeated ? [repeatedDraft(`${path}.draft_id`)] : []),
      ...seedViolations(workspace, path),
      ...assetViolations(workspace.assets, path),
    ];
  });
  const size = workspaces.reduce((sum, { assets }) => sum + assets.length, 0);
  return size > maxProposedAssets ? [...found, tooMany(size)] : found;
}

/** Every asset that a proposal names, the seeds included. */
export function assetIdsOf({ workspaces }: Proposal): string[] {
  const named = workspaces.flatMap(({ seedAssetId, assets }) => [
    ...(seedAssetId === undefined ? [] : [seedAssetId]),
    ...assets.map(({ assetId }) => assetId),
  ]);
  return [...new Set(named)];
}

function seedViolations({ seedAssetId, assets }: ProposedWorkspace, path: string): FieldViolation[] {
  if (seedAssetId === undefined || assets.length === 0) return [];
  if (assets.some(({ assetId }) => assetId === seedAssetId)) return [];
  const description = "the seed asset is not among the workspace's assets";
  return [{ field: `${path}.seed_asset_id`, reason: "SEED_ASSET_ABSENT", description }];
}

function assetViolations(assets: readonly ProposedAsset[], path: string): FieldViolation[] {
  const ids = new Set<string>();
  return assets.flatMap(({ assetId }, index) => {
    const repeated = ids.has(assetId);
    ids.add(assetId);
    return repeated ? [repeatedAsset(`${path}.assets[${index}].asset_id`)] : [];
  });
}

function repeatedDraft(field: string): FieldViolation {
  return { field, reason: "DRAFT_ID_REPEATED", description: "another workspace of the request has this draft_id" };
}

function repeatedAsset(field: string): FieldViolation {
  return { field, reason: "ASSET_REPEATED", description: "the asset is in this workspace already" };
}

function tooMany(size: number): FieldViolation {
  const description = `the workspaces should have at most ${maxProposedAssets} assets together, not ${size}`;
  return { field: "workspaces", reason: "ASSETS_TOO_MANY", description };
}
