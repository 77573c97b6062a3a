import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** Where a version stands: its artifact is on its way, it can be deployed, or the artifact could not be had. */
export type ModelVersionStatus = "pending" | "ready" | "failed";

export interface ModelVersionSource {
  pipelineId: string;
  runId: string;
  jobName: string;
  checkpointId?: string | undefined;
}

export interface ModelVersion {
  id: string;
  organisationId: string;
  modelId: string;
  /** From 1, in the order of registration. */
  number: number;
  status: ModelVersionStatus;
  /** Why it failed, for people. */
  statusDetail?: string | undefined;
  /** Such as `onnx`. */
  format: string;
  artifactSha256: string;
  /** 0 while the artifact is on its way. */
  sizeBytes: number;
  /** Absent for a version that was made by hand. */
  source?: ModelVersionSource | undefined;
  createdAt: Date;
}

/** A version whose artifact is on its way. */
export interface PendingVersion extends ModelVersion {
  /** Where the result lies, as the run said. */
  uri: string;
}

/** What becomes of a pending version. */
export type Resolution = { status: "ready"; sizeBytes: number } | { status: "failed"; statusDetail: string };

/** The version does not exist, or not here. */
export class ModelVersionNotFoundError extends NotFoundError {
  override name = "ModelVersionNotFoundError";
}
