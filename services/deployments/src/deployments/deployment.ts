import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { RunConfig } from "../deployment-versions/run-config.ts";
import type { RolloutStatus } from "../rollouts/rollout.ts";

/** Whether a deployment's predictions are answered, in the words of its answers. */
export type DeploymentStatus =
  | "Pending"
  | "Deploying"
  | "Running"
  | "Updating"
  | "Unhealthy"
  | "Stopped"
  | "Failed"
  | "Deleting";

/** The desired state of a deployment: the reconciler brings it about. */
export type DesiredState = "serve" | "stopped" | "deleted";

/** The latest rollout, kept with the deployment as well. */
export interface LatestRollout {
  /** The `rollout_request_id`. */
  id: string;
  /** The version that is to serve. */
  versionId: string;
  status: RolloutStatus;
  /** `Reason: message` when it failed. */
  error: string | undefined;
  queuedAt: Date;
}

/** A version that answers a share of the predictions beside the current one. */
export interface Canary {
  versionId: string;
  /** 1 to 99. */
  percent: number;
}

export interface Endpoint {
  versionId: string;
  /** Without a path. */
  url: string;
}

/** An instance as it was last observed. */
export interface InstanceStatus {
  versionId: string;
  /** Name of the process or pod. */
  name: string;
  state: "starting" | "ready" | "unhealthy" | "failed";
  /** Why it is not ready. */
  detail: string | undefined;
  /** Predictions under way. */
  inFlight: number;
  /** How often it was started again. */
  restarts: number;
}

export interface DeploymentRef {
  organisationId: string;
  deploymentId: string;
}

/** A deployment: its desired state and its status. */
export interface Deployment {
  id: string;
  organisationId: string;
  name: string;
  description: string;
  /** DNS label, unique in the organisation. */
  serviceName: string;
  /** Undefined for a bundle that names none. */
  modelId: string | undefined;
  /** The version of the model that serves, or is to serve first. */
  modelVersionId: string | undefined;
  status: DeploymentStatus;
  /** JSON text of an object. */
  annotations: string;
  /** One of those that the service is told of. */
  environment: string;
  /** How versions of the next rollout run; each version keeps its own. */
  runConfig: RunConfig;
  /** JSON text of the run configuration as it was given; undefined where none was. */
  runConfigText: string | undefined;
  desiredState: DesiredState;
  /** +1 with every change of the desired state, from 1. */
  generation: number;
  /** The version that serves, or did before it was stopped; moves when a rollout has succeeded. */
  currentVersionId: string | undefined;
  /** The version of the model that the latest rollout is for. */
  targetModelVersionId: string | undefined;
  rollout: LatestRollout;
  canary: Canary | undefined;
  endpoints: Endpoint[];
  /** All instances, as last observed. */
  instances: InstanceStatus[];
  /** When a prediction last asked for an instance where none ran. */
  wakeRequestedAt: Date | undefined;
  lowerEnvDeploymentId: string | undefined;
  higherEnvDeploymentId: string | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** Something that cannot be done with a deployment. */
export abstract class DeploymentError extends Error {
  readonly deploymentId: string;
  constructor(deploymentId: string, message: string) {
    super(message);
    this.deploymentId = deploymentId;
  }
}

/** The deployment does not exist, or is another organisation's. */
export class DeploymentNotFoundError extends NotFoundError {
  override name = "DeploymentNotFoundError";
}
