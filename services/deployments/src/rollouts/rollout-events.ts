import { RolloutEndedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Rollout } from "./rollout.ts";
import { rolloutStatuses } from "./rollout-message.ts";

/** The event is the deployment's: consumers get all of a deployment's events in their order. */
export function rolloutEnded(
  { id: entityId, organisationId }: { id: string; organisationId: string },
  { id: rolloutId, status, error = "" }: Pick<Rollout, "id" | "status" | "error">,
  time: Date,
): OutboxRecord {
  const outcome = { status, rolloutStatus: rolloutStatuses[status], error };
  const message = create(RolloutEndedSchema, { organisationId, deploymentId: entityId, rolloutId, ...outcome });
  return eventRecord(RolloutEndedSchema, message, { organisationId, entityId, time });
}
