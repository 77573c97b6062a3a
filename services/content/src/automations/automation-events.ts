import {
  AutomationCreatedSchema,
  AutomationDeletedSchema,
  AutomationDraftSavedSchema,
  AutomationOwnerToldSchema,
  AutomationPublishedSchema,
  AutomationSettingsUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Automation, Version } from "./automation.ts";
import type { Deprecation, OwnedAutomation } from "./owner-draft.ts";

export function automationCreated({ id, organisationId }: Automation, time: Date): OutboxRecord {
  const message = create(AutomationCreatedSchema, { organisationId, automationId: id });
  return eventRecord(AutomationCreatedSchema, message, { organisationId, entityId: id, time });
}

export function automationDraftSaved({ id, organisationId, automationId }: Version, time: Date): OutboxRecord {
  const message = create(AutomationDraftSavedSchema, { organisationId, automationId, versionId: id });
  return eventRecord(AutomationDraftSavedSchema, message, { organisationId, entityId: automationId, time });
}

export function automationPublished(version: Version, time: Date): OutboxRecord {
  const { id: versionId, organisationId, automationId, featureKeys } = version;
  const message = create(AutomationPublishedSchema, { organisationId, automationId, versionId, featureKeys });
  return eventRecord(AutomationPublishedSchema, message, { organisationId, entityId: automationId, time });
}

export function automationDeleted({ id, organisationId }: Automation, time: Date): OutboxRecord {
  const message = create(AutomationDeletedSchema, { organisationId, automationId: id });
  return eventRecord(AutomationDeletedSchema, message, { organisationId, entityId: id, time });
}

export interface OwnerNotice {
  organisationId: string;
  automation: OwnedAutomation;
  deprecation: Deprecation;
  /** The draft that says so; empty where the owner wants none. */
  draftId: string;
}

/** The owner should know that something the automation uses is deprecated. */
export function automationOwnerNotified(
  { organisationId, automation: { id, ownerMemberId }, deprecation, draftId }: OwnerNotice,
  time: Date,
): OutboxRecord {
  const { featureKey, replacementKey = "" } = deprecation;
  const fields = { organisationId, automationId: id, ownerMemberId, featureKey, replacementKey, draftId };
  const message = create(AutomationOwnerToldSchema, fields);
  return eventRecord(AutomationOwnerToldSchema, message, { organisationId, entityId: id, time });
}

/** `cause` is who changed them, by default the caller. */
export function automationSettingsUpdated(
  { id, organisationId, settings }: Pick<Automation, "id" | "organisationId" | "settings">,
  time: Date,
  cause?: EventCause,
): OutboxRecord {
  const { enabled, disabledReason: reason = "" } = settings;
  const message = create(AutomationSettingsUpdatedSchema, { organisationId, automationId: id, enabled, reason });
  return eventRecord(AutomationSettingsUpdatedSchema, message, { organisationId, entityId: id, time, cause });
}
