import type { ClientSession } from "@aiplatform/document-store";
import { assertNone } from "@aiplatform/service-host";
import { AssetNotFoundError } from "../assets/asset.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { currentSettings } from "./current-settings.ts";
import { assetIdsOf, type Proposal, violationsOf } from "./proposal.ts";
import { changeTo, type WorkspaceChange } from "./proposal-changes.ts";
import { assertWithinLimits } from "./workspace.ts";
import { workspaceProposalAccepted } from "./workspace-events.ts";
import { type WorkspaceSettings, withChanges, withProposal } from "./workspace-settings.ts";

export type EnableDependencies = Pick<
  IdentityDependencies,
  "organisations" | "assets" | "workspaces" | "memberships" | "workspaceSettings" | "outbox" | "clock" | "newId"
>;

/** Whose proposal it is, and who accepts it. */
export interface Accepter {
  organisationId: string;
  memberId?: string | undefined;
}

/**
 * Accepts a proposal as a whole: makes its workspaces, or makes those of the same drafts what it says, and enables
 * workspaces. What is so already changes and announces nothing. A proposal of no workspaces enables only.
 * @throws InvalidFieldsError with everything that is wrong, AssetNotFoundError, WorkspaceLimitError.
 */
export async function enableFromProposal(
  dependencies: EnableDependencies,
  accepter: Accepter,
  proposal: Proposal,
  session: ClientSession,
): Promise<WorkspaceSettings> {
  assertNone(violationsOf(proposal));
  const { organisations, workspaceSettings, outbox, clock } = dependencies;
  const { organisationId } = accepter;
  // Before anything is read: of two proposals for one draft, the second must find what the first has made.
  await organisations.lock(organisationId, session);
  const changes = await changesOf(dependencies, { accepter, proposal }, session);
  await keepChanges(dependencies, { organisationId, changes }, session);

  const time = clock();
  const before = await currentSettings(dependencies, organisationId, session);
  const { algorithmVersion, workspaces } = proposal;
  const isRepeat = changes.length === 0 && isOf(before, algorithmVersion);
  const after =
    workspaces.length === 0 || isRepeat
      ? withChanges(before, { workspacesEnabled: true }, time)
      : withProposal(before, algorithmVersion, time);
  if (after === before) return before;
  await workspaceSettings.save(organisationId, after, session);
  const workspaceIds = changes.map(({ workspace }) => workspace.id);
  await outbox.stage(session, workspaceProposalAccepted({ organisationId, workspaceIds, algorithmVersion }, time));
  return after;
}

/** Whether the last grouping was a proposal of this version. */
function isOf(settings: WorkspaceSettings, algorithmVersion: string): boolean {
  const { groupingStatus, lastGroupingRunType, groupingAlgorithmVersion } = settings;
  return (
    groupingStatus === "succeeded" &&
    lastGroupingRunType === "proposal" &&
    groupingAlgorithmVersion === algorithmVersion
  );
}

async function changesOf(
  { assets, workspaces, memberships, clock, newId }: EnableDependencies,
  { accepter, proposal }: { accepter: Accepter; proposal: Proposal },
  session: ClientSession,
): Promise<WorkspaceChange[]> {
  const { organisationId, memberId: acceptedByMemberId } = accepter;
  const named = assetIdsOf(proposal);
  const known = new Set((await assets.findAll(organisationId, named, session)).map(({ id }) => id));
  for (const id of named) if (!known.has(id)) throw new AssetNotFoundError(id);

  const drafts = proposal.workspaces.map(({ draftId }) => draftId);
  const present = await workspaces.findByDrafts(organisationId, drafts, session);
  const ids = present.map(({ id }) => id);
  const held = Map.groupBy(await memberships.findAll(organisationId, ids, session), ({ workspaceId }) => workspaceId);
  const byDraft = new Map(present.map((workspace) => [workspace.draftId, workspace]));
  const { algorithmVersion } = proposal;
  const facts = { organisationId, algorithmVersion, acceptedByMemberId, newId, time: clock() };
  return proposal.workspaces.flatMap((proposed) => {
    const workspace = byDraft.get(proposed.draftId);
    const change = changeTo(proposed, { ...facts, workspace, memberships: held.get(workspace?.id ?? "") ?? [] });
    return change ? [change] : [];
  });
}

async function keepChanges(
  { assets, workspaces, memberships }: EnableDependencies,
  { organisationId, changes }: { organisationId: string; changes: readonly WorkspaceChange[] },
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const moves = changes.map(({ workspace, added, removed }) => ({ workspaceId: workspace.id, added, removed }));
  await assets.move(organisationId, moves, session);
  for (const { workspaceId, removed: assetIds } of moves) {
    await memberships.remove(organisationId, { workspaceId, assetIds }, session);
  }
  const written = changes.flatMap((change) => change.written);
  await memberships.put(organisationId, written, session);
  const made = changes.filter(({ isNew }) => isNew).map(({ workspace }) => workspace);
  const updated = changes.filter(({ isNew }) => !isNew).map(({ workspace }) => workspace);
  await workspaces.insertMany(organisationId, made, session);
  await workspaces.updateMany(organisationId, updated, session);
  const [count, held] = [
    await workspaces.count(organisationId, session),
    await memberships.count(organisationId, session),
  ];
  assertWithinLimits({ workspaces: count, memberships: held });
}
