import type { Proposal, ProposedAsset, ProposedWorkspace } from "./proposal.ts";
import type { Membership, Workspace } from "./workspace.ts";

/** What accepting a proposal makes of one of its workspaces. */
export interface WorkspaceChange {
  workspace: Workspace;
  /** Whether the draft has no workspace yet. */
  isNew: boolean;
  /** Memberships that are new, and those of which something else is known from now on. */
  written: Membership[];
  added: string[];
  removed: string[];
}

/** The workspace as it is stored, and what a change of it needs. */
export interface CurrentWorkspace {
  organisationId: string;
  algorithmVersion: string;
  acceptedByMemberId: string | undefined;
  workspace: Workspace | undefined;
  memberships: readonly Membership[];
  newId: () => string;
  time: Date;
}

/** What has to change for a workspace to be as proposed; undefined when it is. Nothing that it held otherwise stays in it. */
export function changeTo(proposed: ProposedWorkspace, present: CurrentWorkspace): WorkspaceChange | undefined {
  const { organisationId, memberships, newId, time } = present;
  const isNew = present.workspace === undefined;
  const { name, description, draftId, seedAssetId, assets } = proposed;
  const earlier = new Map(memberships.map((membership) => [membership.assetId, membership]));
  const wanted = new Set(assets.map(({ assetId }) => assetId));
  const workspace: Workspace = {
    ...(present.workspace ?? { id: newId(), organisationId, draftId, createdAt: time }),
    ...{ name, description, seedAssetId, assetCount: wanted.size, updatedAt: time },
  };
  const written = assets.flatMap((asset, position) => {
    const known = earlier.get(asset.assetId);
    return known && isAsProposed(known, asset, present)
      ? []
      : [membershipOf(asset, { known, position, workspace }, present)];
  });
  const added = assets.flatMap(({ assetId }) => (earlier.has(assetId) ? [] : [assetId]));
  const removed = memberships.flatMap(({ assetId }) => (wanted.has(assetId) ? [] : [assetId]));
  const isSame = !isNew && written.length === 0 && removed.length === 0 && isDescribedAs(present.workspace, workspace);
  return isSame ? undefined : { workspace, isNew, written, added, removed };
}

function isDescribedAs(known: Workspace | undefined, wanted: Workspace): boolean {
  return (
    known?.name === wanted.name && known.description === wanted.description && known.seedAssetId === wanted.seedAssetId
  );
}

function isAsProposed(
  known: Membership,
  proposed: ProposedAsset,
  { algorithmVersion }: Pick<Proposal, "algorithmVersion">,
): boolean {
  return (
    known.assetName === proposed.assetName &&
    known.role === proposed.role &&
    known.source === proposed.source &&
    known.confidence === proposed.confidence &&
    known.evidence === proposed.evidence &&
    known.algorithmVersion === algorithmVersion
  );
}

function membershipOf(
  asset: ProposedAsset,
  { known, position, workspace }: { known: Membership | undefined; position: number; workspace: Workspace },
  { organisationId, algorithmVersion, acceptedByMemberId, time }: CurrentWorkspace,
): Membership {
  const came = { position: known?.position ?? position, createdAt: known?.createdAt ?? time, updatedAt: time };
  return { workspaceId: workspace.id, organisationId, ...asset, algorithmVersion, acceptedByMemberId, ...came };
}
