import {
  type EnableFromProposalRequest,
  GroupingRunType as GroupingRunTypeMessage,
  GroupingStatus as GroupingStatusMessage,
  type WorkspaceAsset as WorkspaceAssetMessage,
  WorkspaceAssetSchema,
  type Workspace as WorkspaceMessage,
  WorkspaceSchema,
  type WorkspaceSettings as WorkspaceSettingsMessage,
  WorkspaceSettingsSchema,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { optionalTimestamp } from "../timestamps.ts";
import type { Proposal } from "./proposal.ts";
import type { Membership, Workspace } from "./workspace.ts";
import type { GroupingStatus, GroupingType, WorkspaceSettings } from "./workspace-settings.ts";

export const groupingStatuses: Readonly<Record<GroupingStatus, GroupingStatusMessage>> = {
  idle: GroupingStatusMessage.IDLE,
  queued: GroupingStatusMessage.QUEUED,
  running: GroupingStatusMessage.RUNNING,
  succeeded: GroupingStatusMessage.SUCCEEDED,
  failed: GroupingStatusMessage.FAILED,
};

const types: Readonly<Record<GroupingType, GroupingRunTypeMessage>> = {
  proposal: GroupingRunTypeMessage.PROPOSAL,
  auto: GroupingRunTypeMessage.AUTO,
  manual: GroupingRunTypeMessage.MANUAL,
};

/** The proposal in a request whose required fields are there. */
export function proposalFrom({ algorithmVersion = "", workspaces }: EnableFromProposalRequest): Proposal {
  return {
    algorithmVersion,
    workspaces: workspaces.map(({ name = "", draftId = "", description, seedAssetId, assets }) => ({
      ...{ name, draftId, description, seedAssetId },
      assets: assets.map(({ assetId = "", assetName, role = "", source = "", confidence = 0, evidence }) => ({
        ...{ assetId, assetName, role, source, confidence },
        evidence: evidence?.text || "{}",
      })),
    })),
  };
}

/** The settings as callers see them. */
export function settingsMessage(settings: WorkspaceSettings): WorkspaceSettingsMessage {
  const { organisationId, workspacesEnabled, autoGroupingEnabled, groupingStatus } = settings;
  const { lastGroupingRunType, lastGroupingError, groupingAlgorithmVersion } = settings;
  return create(WorkspaceSettingsSchema, {
    ...{ organisationId, workspacesEnabled, autoGroupingEnabled, groupingStatus: groupingStatuses[groupingStatus] },
    ...(lastGroupingRunType === undefined ? {} : { lastGroupingRunType: types[lastGroupingRunType] }),
    ...optionalTimestamp("lastGroupingStartedAt", settings.lastGroupingStartedAt),
    ...optionalTimestamp("lastGroupingCompletedAt", settings.lastGroupingCompletedAt),
    ...(lastGroupingError === undefined ? {} : { lastGroupingError }),
    ...(groupingAlgorithmVersion === undefined ? {} : { groupingAlgorithmVersion }),
    createdAt: timestampFromDate(settings.createdAt),
    updatedAt: timestampFromDate(settings.updatedAt),
  });
}

/** A workspace as callers see it. */
export function workspaceMessage(workspace: Workspace): WorkspaceMessage {
  const { id, organisationId, name, description, draftId, seedAssetId, assetCount } = workspace;
  return create(WorkspaceSchema, {
    ...{ id, organisationId, name, description, assetCount },
    ...(draftId === undefined ? {} : { draftId }),
    ...(seedAssetId === undefined ? {} : { seedAssetId }),
    createdAt: timestampFromDate(workspace.createdAt),
    updatedAt: timestampFromDate(workspace.updatedAt),
  });
}

/** An asset in a workspace as callers see it. */
export function membershipMessage(membership: Membership): WorkspaceAssetMessage {
  const { workspaceId, assetId, assetName, role, source, confidence, evidence: text } = membership;
  const { algorithmVersion, acceptedByMemberId, createdAt, updatedAt } = membership;
  return create(WorkspaceAssetSchema, {
    ...{ workspaceId, assetId, assetName, role, source, confidence, evidence: { text }, algorithmVersion },
    ...(acceptedByMemberId === undefined ? {} : { acceptedByMemberId }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}
