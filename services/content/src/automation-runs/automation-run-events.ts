import {
  AutomationRunEndedSchema,
  AutomationRunStartedSchema,
  AutomationSettingsUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Automation } from "../automations/automation.ts";
import type { AutomationRun } from "./automation-run.ts";

/** A run was asked for; `cause` is who asked, by default the caller. */
export function automationRunStarted(run: AutomationRun, cause?: EventCause): OutboxRecord {
  const { id: runId, organisationId, automationId, versionId, startedBy, createdAt: time } = run;
  const message = create(AutomationRunStartedSchema, { organisationId, automationId, runId, versionId, startedBy });
  return eventRecord(AutomationRunStartedSchema, message, { organisationId, entityId: runId, time, cause });
}

/** A run ended; `cause` is who ended it, by default the caller. */
export function automationRunEnded(run: AutomationRun, time: Date, cause?: EventCause): OutboxRecord {
  const { id: runId, organisationId, automationId, status, error = "" } = run;
  const message = create(AutomationRunEndedSchema, { organisationId, automationId, runId, status, error });
  return eventRecord(AutomationRunEndedSchema, message, { organisationId, entityId: runId, time, cause });
}

/** An automation is run otherwise from now on, or not at all. */
export function automationSettingsUpdated(
  { id, organisationId, settings }: Pick<Automation, "id" | "organisationId" | "settings">,
  time: Date,
  cause?: EventCause,
): OutboxRecord {
  const { enabled, disabledReason: reason = "" } = settings;
  const message = create(AutomationSettingsUpdatedSchema, { organisationId, automationId: id, enabled, reason });
  return eventRecord(AutomationSettingsUpdatedSchema, message, { organisationId, entityId: id, time, cause });
}
