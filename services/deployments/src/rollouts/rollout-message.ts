import {
  type Rollout as RolloutMessage,
  RolloutSchema,
  RolloutStatus as Statuses,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { presentFields } from "../present-fields.ts";
import type { Rollout, RolloutStatus } from "./rollout.ts";

export const rolloutStatuses: Readonly<Record<RolloutStatus, Statuses>> = {
  Queued: Statuses.QUEUED,
  InProgress: Statuses.IN_PROGRESS,
  Succeeded: Statuses.SUCCEEDED,
  Failed: Statuses.FAILED,
  RolledBack: Statuses.ROLLED_BACK,
  Superseded: Statuses.SUPERSEDED,
};

export function rolloutMessage(rollout: Rollout): RolloutMessage {
  const { id, deploymentId, versionId, status, error, queuedAt, startedAt, endedAt } = rollout;
  return create(RolloutSchema, {
    id,
    deploymentId,
    deploymentVersionId: versionId,
    status: rolloutStatuses[status],
    queuedAt: timestampFromDate(queuedAt),
    ...presentFields({
      error,
      startedAt: startedAt && timestampFromDate(startedAt),
      endedAt: endedAt && timestampFromDate(endedAt),
    }),
  });
}
