import {
  AutomationCreatedSchema,
  AutomationDeletedSchema,
  AutomationDraftSavedSchema,
  AutomationOwnerToldSchema,
  AutomationPublishedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Deprecation, OwnedAutomation } from "../feature-memory/owner-draft.ts";
import type { Automation, Version } from "./automation.ts";

/** There is an automation. */
export function automationCreated({ id, organisationId }: Automation, time: Date): OutboxRecord {
  const message = create(AutomationCreatedSchema, { organisationId, automationId: id });
  return eventRecord(AutomationCreatedSchema, message, { organisationId, entityId: id, time });
}

/** The automation's draft is another. */
export function automationDraftSaved({ id, organisationId, automationId }: Version, time: Date): OutboxRecord {
  const message = create(AutomationDraftSavedSchema, { organisationId, automationId, versionId: id });
  return eventRecord(AutomationDraftSavedSchema, message, { organisationId, entityId: automationId, time });
}

/** The version is in use from now on. */
export function automationPublished(version: Version, time: Date): OutboxRecord {
  const { id: versionId, organisationId, automationId, featureKeys } = version;
  const message = create(AutomationPublishedSchema, { organisationId, automationId, versionId, featureKeys });
  return eventRecord(AutomationPublishedSchema, message, { organisationId, entityId: automationId, time });
}

/** The automation is gone, with its versions. */
export function automationDeleted({ id, organisationId }: Automation, time: Date): OutboxRecord {
  const message = create(AutomationDeletedSchema, { organisationId, automationId: id });
  return eventRecord(AutomationDeletedSchema, message, { organisationId, entityId: id, time });
}

/** What the owner of an automation is told. */
export interface OwnerNotice {
  organisationId: string;
  automation: OwnedAutomation;
  deprecation: Deprecation;
  /** The draft that says so; empty where the owner wants none. */
  draftId: string;
}

/** The owner should know that something the automation uses is deprecated. */
export function automationOwnerTold(
  { organisationId, automation: { id, ownerMemberId }, deprecation, draftId }: OwnerNotice,
  time: Date,
): OutboxRecord {
  const { featureKey, replacementKey = "" } = deprecation;
  const fields = { organisationId, automationId: id, ownerMemberId, featureKey, replacementKey, draftId };
  const message = create(AutomationOwnerToldSchema, fields);
  return eventRecord(AutomationOwnerToldSchema, message, { organisationId, entityId: id, time });
}
