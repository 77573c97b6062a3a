import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { fieldViolations } from "@aiplatform/service-kit";
import { RangeNotSatisfiableError } from "@aiplatform/transcoder";
import { workerPoolErrors } from "@aiplatform/worker-pool";
import { Code } from "@connectrpc/connect";
import { CollectionOffError, CollectionUnderWayError } from "./artifact-collection/artifact-collection.ts";
import { ArtifactRemovalError } from "./artifacts/artifact-mark-store.ts";
import {
  ArtifactDigestError,
  ArtifactMissingError,
  ArtifactsUnavailableError,
  ArtifactTooLargeError,
} from "./artifacts/artifact-store.ts";
import { UploadLimitError, UploadOffsetError, UploadUnfinishedError } from "./artifacts/receive-upload.ts";
import { DatasetsUnavailableError } from "./data-calls.ts";
import { InstanceSilentError } from "./dataset-predictions/instance-client.ts";
import {
  DeploymentVersionGoneError,
  PredictionFailedError,
  PredictionRefusedError,
} from "./dataset-predictions/predict-for-dataset.ts";
import { ModelNotReadyError } from "./deployment-versions/pin-models.ts";
import { EnvironmentNotHigherError, PromotionNotAllowedError, promotePermission } from "./deployments/environments.ts";
import {
  DeploymentTransitionError,
  NothingServesError,
  NothingToRollBackToError,
  VersionServesError,
} from "./deployments/transitions.ts";
import { NoBundleError } from "./deployments/update-custom-serving-deployment.ts";
import { ReconnectError } from "./deployments/watch-deployment.ts";
import { LineageForbiddenError } from "./lineage/lineage.ts";
import { ModelLimitError, ModelNameTakenError } from "./models/model.ts";
import { NothingRunsError } from "./predictions/resolve-prediction-route.ts";
import { RolloutTransitionError } from "./rollouts/rollout.ts";
import { RunFilesLimitError } from "./run-files/run-file.ts";
import { TrainingUnavailableError } from "./training-calls.ts";
import { SignedUrlsUnavailableError } from "./transfers/download-url.ts";
import { MediaMismatchError } from "./transfers/media-content.ts";
import { LengthRequiredError } from "./transfers/receive-body.ts";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const deploymentsErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  ...workerPoolErrors,
  ...quotaErrors,
  [ModelNameTakenError, { code: Code.AlreadyExists, reason: "MODEL_NAME_TAKEN" }],
  [ModelLimitError, { code: Code.FailedPrecondition, reason: "MODEL_LIMIT" }],
  [UploadOffsetError, { code: Code.Aborted, reason: "UPLOAD_OFFSET" }],
  [UploadUnfinishedError, { code: Code.Aborted, reason: "UPLOAD_UNFINISHED" }],
  [UploadLimitError, { code: Code.ResourceExhausted, reason: "UPLOAD_LIMIT" }],
  [ArtifactDigestError, { code: Code.InvalidArgument, reason: "ARTIFACT_DIGEST", violations: fieldViolations }],
  [ArtifactTooLargeError, { code: Code.ResourceExhausted, reason: "ARTIFACT_TOO_LARGE" }],
  [LengthRequiredError, { code: Code.FailedPrecondition, reason: "LENGTH_REQUIRED" }],
  [ArtifactMissingError, { code: Code.FailedPrecondition, reason: "ARTIFACT_MISSING" }],
  [RunFilesLimitError, { code: Code.FailedPrecondition, reason: "RUN_FILES_LIMIT" }],
  [SignedUrlsUnavailableError, { code: Code.FailedPrecondition, reason: "SIGNED_URLS_UNAVAILABLE" }],
  [MediaMismatchError, { code: Code.FailedPrecondition, reason: "MEDIA_MISMATCH" }],
  [
    LineageForbiddenError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: (error) => (error instanceof LineageForbiddenError ? { permission: error.permission } : {}),
    },
  ],
  [DatasetsUnavailableError, { code: Code.Unavailable, reason: "DATASETS_UNAVAILABLE" }],
  [TrainingUnavailableError, { code: Code.Unavailable, reason: "TRAINING_UNAVAILABLE" }],
  [ArtifactsUnavailableError, { code: Code.Unavailable, reason: "ARTIFACTS_UNAVAILABLE" }],
  [
    RangeNotSatisfiableError,
    {
      code: Code.FailedPrecondition,
      reason: "RANGE_NOT_SATISFIABLE",
      metadata: (error) => (error instanceof RangeNotSatisfiableError ? { size_bytes: String(error.sizeBytes) } : {}),
    },
  ],
  [ArtifactRemovalError, { code: Code.Unavailable, reason: "ARTIFACT_REMOVAL" }],
  [CollectionOffError, { code: Code.FailedPrecondition, reason: "COLLECTION_OFF" }],
  [CollectionUnderWayError, { code: Code.FailedPrecondition, reason: "COLLECTION_UNDER_WAY" }],
  [ModelNotReadyError, { code: Code.FailedPrecondition, reason: "MODEL_NOT_READY" }],
  [DeploymentTransitionError, { code: Code.FailedPrecondition, reason: "DEPLOYMENT_MOVE" }],
  [RolloutTransitionError, { code: Code.FailedPrecondition, reason: "ROLLOUT_MOVE" }],
  [NothingServesError, { code: Code.FailedPrecondition, reason: "NOTHING_SERVES" }],
  [NothingToRollBackToError, { code: Code.FailedPrecondition, reason: "NOTHING_TO_ROLL_BACK_TO" }],
  [VersionServesError, { code: Code.FailedPrecondition, reason: "VERSION_SERVES" }],
  [NoBundleError, { code: Code.FailedPrecondition, reason: "NO_BUNDLE" }],
  [
    PromotionNotAllowedError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: () => ({ permission: promotePermission }),
    },
  ],
  [EnvironmentNotHigherError, { code: Code.FailedPrecondition, reason: "ENVIRONMENT_NOT_HIGHER" }],
  [NothingRunsError, { code: Code.Unavailable, reason: "NOTHING_RUNS" }],
  [DeploymentVersionGoneError, { code: Code.FailedPrecondition, reason: "DEPLOYMENT_VERSION_GONE" }],
  [PredictionRefusedError, { code: Code.FailedPrecondition, reason: "PREDICTION_REFUSED" }],
  [InstanceSilentError, { code: Code.Unavailable, reason: "DEPLOYMENT_UNAVAILABLE" }],
  [PredictionFailedError, { code: Code.Unavailable, reason: "PREDICTION_FAILED" }],
  [ReconnectError, { code: Code.Unavailable, reason: "RECONNECT" }],
]);
