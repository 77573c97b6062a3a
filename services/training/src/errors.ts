import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";
import { DeploymentsUnavailableError } from "./checkpoints/stored-checkpoints.ts";
import { CheckpointElsewhereError, CheckpointPrunedError } from "./checkpoints/verify-checkpoint.ts";
import { FollowerOverrunError } from "./job-log/job-follower.ts";
import { AttachmentLostError } from "./job-log/job-snapshot.ts";
import { IllegalMoveError } from "./job-log/job-state.ts";
import { ReportOutOfOrderError } from "./metric-reports/send-report.ts";
import { ExperimentExistsError } from "./mlflow/experiment.ts";
import { WritePermissionMissingError, writePermission } from "./mlflow/write-permission.ts";
import { PipelineActiveError, PipelineArchivedError } from "./pipelines/pipeline.ts";
import { ReconnectError } from "./run-metrics/watch-run-metrics.ts";
import { DatasetsUnavailableError } from "./runs/dataset-versions.ts";
import { RunActiveError, RunArchivedError } from "./runs/run.ts";
import { LeaseHeldError, LeaseLostError } from "./supervision-leases/supervision-lease.ts";
import { CommandOutOfOrderError, CommandResolvedError } from "./trainers/acknowledgement.ts";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const trainingErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  ...quotaErrors,
  [ExperimentExistsError, { code: Code.AlreadyExists, reason: "EXPERIMENT_EXISTS" }],
  [
    WritePermissionMissingError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: () => ({ permission: writePermission }),
    },
  ],
  [PipelineActiveError, { code: Code.FailedPrecondition, reason: "PIPELINE_ACTIVE" }],
  [PipelineArchivedError, { code: Code.FailedPrecondition, reason: "PIPELINE_ARCHIVED" }],
  [RunActiveError, { code: Code.FailedPrecondition, reason: "RUN_ACTIVE" }],
  [RunArchivedError, { code: Code.FailedPrecondition, reason: "RUN_ARCHIVED" }],
  [CheckpointElsewhereError, { code: Code.FailedPrecondition, reason: "CHECKPOINT_ELSEWHERE" }],
  [CheckpointPrunedError, { code: Code.FailedPrecondition, reason: "CHECKPOINT_PRUNED" }],
  [DatasetsUnavailableError, { code: Code.Unavailable, reason: "DATASETS_UNAVAILABLE" }],
  [DeploymentsUnavailableError, { code: Code.Unavailable, reason: "DEPLOYMENTS_UNAVAILABLE" }],
  [LeaseHeldError, { code: Code.FailedPrecondition, reason: "LEASE_HELD" }],
  [LeaseLostError, { code: Code.FailedPrecondition, reason: "LEASE_LOST" }],
  [CommandResolvedError, { code: Code.FailedPrecondition, reason: "COMMAND_RESOLVED" }],
  [CommandOutOfOrderError, { code: Code.FailedPrecondition, reason: "COMMAND_OUT_OF_ORDER" }],
  [ReportOutOfOrderError, { code: Code.FailedPrecondition, reason: "REPORT_OUT_OF_ORDER" }],
  [AttachmentLostError, { code: Code.FailedPrecondition, reason: "ATTACHMENT_LOST" }],
  [IllegalMoveError, { code: Code.FailedPrecondition, reason: "ILLEGAL_MOVE" }],
  [ReconnectError, { code: Code.Unavailable, reason: "RECONNECT" }],
  [FollowerOverrunError, { code: Code.Aborted, reason: "FOLLOWER_OVERRUN" }],
]);
