import {
  WorkspaceDeletedSchema,
  WorkspaceGroupingFinishedSchema,
  WorkspaceGroupingRequestedSchema,
  WorkspaceProposalAcceptedSchema,
  WorkspaceSettingsUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Workspace } from "./workspace.ts";
import { groupingStatuses } from "./workspace-messages.ts";
import type { GroupingStatus, WorkspaceSettings } from "./workspace-settings.ts";

// Of the settings there is one per organisation, so the organisation's id is theirs too.

export function workspaceProposalAccepted(
  accepted: { organisationId: string; workspaceIds: string[]; algorithmVersion: string },
  time: Date,
): OutboxRecord {
  const message = create(WorkspaceProposalAcceptedSchema, accepted);
  const { organisationId } = accepted;
  return eventRecord(WorkspaceProposalAcceptedSchema, message, { organisationId, entityId: organisationId, time });
}

export function workspaceSettingsUpdated(settings: WorkspaceSettings, time: Date): OutboxRecord {
  const { organisationId, workspacesEnabled, autoGroupingEnabled } = settings;
  const message = create(WorkspaceSettingsUpdatedSchema, { organisationId, workspacesEnabled, autoGroupingEnabled });
  return eventRecord(WorkspaceSettingsUpdatedSchema, message, { organisationId, entityId: organisationId, time });
}

export function workspaceGroupingRequested(
  { organisationId, runId }: { organisationId: string; runId: string },
  time: Date,
): OutboxRecord {
  const message = create(WorkspaceGroupingRequestedSchema, { organisationId, groupingRunId: runId });
  return eventRecord(WorkspaceGroupingRequestedSchema, message, { organisationId, entityId: organisationId, time });
}

export function workspaceGroupingFinished(
  finished: { organisationId: string; runId: string; status: GroupingStatus; workspaceIds: string[] },
  time: Date,
): OutboxRecord {
  const { organisationId, runId: groupingRunId, status, workspaceIds } = finished;
  const groupingStatus = groupingStatuses[status];
  const fields = { organisationId, groupingRunId, status, groupingStatus, workspaceIds };
  const message = create(WorkspaceGroupingFinishedSchema, fields);
  return eventRecord(WorkspaceGroupingFinishedSchema, message, { organisationId, entityId: organisationId, time });
}

export function workspaceDeleted({ id, organisationId }: Workspace, time: Date): OutboxRecord {
  const message = create(WorkspaceDeletedSchema, { organisationId, workspaceId: id });
  return eventRecord(WorkspaceDeletedSchema, message, { organisationId, entityId: id, time });
}
