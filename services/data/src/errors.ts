import { EngineClosedError, EngineLimitError, EngineQueueFullError, EngineStoppedError } from "@aiplatform/data-engine";
import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { RangeNotSatisfiableError } from "@aiplatform/transcoder";
import { Code } from "@connectrpc/connect";
import { LocationUnavailableError } from "./data-locations/location-errors.ts";
import {
  DatasetVersionLimitError,
  DatasetVersionNotReadyError,
  NoReadyVersionError,
} from "./dataset-versions/dataset-version.ts";
import {
  EndpointGoneError,
  EndpointRefusedError,
  EndpointUnavailableError,
} from "./embedding-endpoints/endpoint-errors.ts";
import { EmbeddingLimitError, EmbeddingMoveError, EmbeddingNotReadyError } from "./embeddings/embedding.ts";
import { ExportPermissionMissingError, exportPermission } from "./embeddings/export-permission.ts";
import { DeploymentsUnavailableError } from "./other-services/dataset-predictions.ts";
import { DatasetsUnavailableError } from "./other-services/datasets-of-content.ts";
import { ArtifactLostError, ArtifactsUnavailableError } from "./other-services/stored-artifacts.ts";
import { CacheFullError, CacheTooSmallError } from "./parquet-cache/parquet-cache.ts";
import { ReadPermissionMissingError, readPermission } from "./version-service/read-permission.ts";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const dataErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  ...quotaErrors,
  [
    ReadPermissionMissingError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: () => ({ permission: readPermission }),
    },
  ],
  [
    ExportPermissionMissingError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: () => ({ permission: exportPermission }),
    },
  ],
  [EndpointGoneError, { code: Code.FailedPrecondition, reason: "ENDPOINT_GONE" }],
  [EndpointRefusedError, { code: Code.FailedPrecondition, reason: "ENDPOINT_REFUSED" }],
  [EndpointUnavailableError, { code: Code.Unavailable, reason: "ENDPOINT_UNAVAILABLE" }],
  [DatasetVersionLimitError, { code: Code.FailedPrecondition, reason: "DATASET_VERSION_LIMIT" }],
  [DatasetVersionNotReadyError, { code: Code.FailedPrecondition, reason: "DATASET_VERSION_NOT_READY" }],
  [NoReadyVersionError, { code: Code.FailedPrecondition, reason: "DATASET_VERSION_NOT_READY" }],
  [EmbeddingLimitError, { code: Code.FailedPrecondition, reason: "EMBEDDING_LIMIT" }],
  [EmbeddingMoveError, { code: Code.FailedPrecondition, reason: "EMBEDDING_MOVE" }],
  [EmbeddingNotReadyError, { code: Code.FailedPrecondition, reason: "EMBEDDING_NOT_READY" }],
  [CacheTooSmallError, { code: Code.FailedPrecondition, reason: "DATA_TOO_LARGE" }],
  [EngineLimitError, { code: Code.FailedPrecondition, reason: "DATA_LIMIT" }],
  [ArtifactLostError, { code: Code.FailedPrecondition, reason: "ARTIFACT_MISSING" }],
  [LocationUnavailableError, { code: Code.Unavailable, reason: "LOCATION_UNAVAILABLE" }],
  [DatasetsUnavailableError, { code: Code.Unavailable, reason: "DATASETS_UNAVAILABLE" }],
  [DeploymentsUnavailableError, { code: Code.Unavailable, reason: "DEPLOYMENTS_UNAVAILABLE" }],
  [ArtifactsUnavailableError, { code: Code.Unavailable, reason: "ARTIFACTS_UNAVAILABLE" }],
  [CacheFullError, { code: Code.Unavailable, reason: "DATA_BUSY" }],
  [EngineQueueFullError, { code: Code.Unavailable, reason: "DATA_BUSY" }],
  [EngineClosedError, { code: Code.Unavailable, reason: "DATA_BUSY" }],
  [EngineStoppedError, { code: Code.Unavailable, reason: "DATA_PROCESS_STOPPED" }],
  [
    RangeNotSatisfiableError,
    {
      code: Code.OutOfRange,
      reason: "RANGE_NOT_SATISFIABLE",
      metadata: (error) => (error instanceof RangeNotSatisfiableError ? { size_bytes: String(error.sizeBytes) } : {}),
    },
  ],
]);
