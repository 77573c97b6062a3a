import {
  AutomationRunEndedSchema,
  AutomationRunStartedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { AutomationRun } from "./automation-run.ts";
import { runStatuses } from "./automation-run-message.ts";

/** A run was asked for; `cause` is who asked, by default the caller. */
export function automationRunStarted(run: AutomationRun, cause?: EventCause): OutboxRecord {
  const { id: runId, organisationId, automationId, versionId, startedBy, createdAt: time } = run;
  const message = create(AutomationRunStartedSchema, { organisationId, automationId, runId, versionId, startedBy });
  return eventRecord(AutomationRunStartedSchema, message, { organisationId, entityId: runId, time, cause });
}

/** A run ended; `cause` is who ended it, by default the caller. */
export function automationRunEnded(run: AutomationRun, time: Date, cause?: EventCause): OutboxRecord {
  const { id: runId, organisationId, automationId, status, error = "" } = run;
  const fields = { organisationId, automationId, runId, status, runStatus: runStatuses[status], error };
  const message = create(AutomationRunEndedSchema, fields);
  return eventRecord(AutomationRunEndedSchema, message, { organisationId, entityId: runId, time, cause });
}
