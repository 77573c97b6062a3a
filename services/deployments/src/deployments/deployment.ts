import type { RunConfig } from "./run-config.ts";

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

/** The wanted state of a deployment; the controller brings it about. */
export type Wish = "serve" | "stopped" | "deleted";

/** How a rollout goes. The last four are final. */
export type RolloutStatus = "Queued" | "InProgress" | "Succeeded" | "Failed" | "RolledBack" | "Superseded";

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

/** A ready instance. */
export interface Endpoint {
  versionId: string;
  /** Without a path. */
  url: string;
}

/** An instance as its driver last saw it. */
export interface SeenInstance {
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

/** Who looks after a deployment just now. */
export interface Lease {
  holder: string;
  until: Date;
}

/** A deployment: what is wanted of it, and what is. */
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
  wish: Wish;
  /** +1 with every wish, from 1. */
  generation: number;
  /** The version that serves, or did before it was stopped; moves when a rollout has succeeded. */
  currentVersionId: string | undefined;
  /** The version of the model that the latest rollout is for. */
  targetModelVersionId: string | undefined;
  rollout: LatestRollout;
  canary: Canary | undefined;
  /** Ready instances. */
  endpoints: Endpoint[];
  /** All instances, as last seen. */
  instances: SeenInstance[];
  /** When a prediction last asked for an instance where none ran. */
  wakeRequestedAt: Date | undefined;
  lowerEnvDeploymentId: string | undefined;
  higherEnvDeploymentId: string | undefined;
  lease: Lease | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** Deployments of an organisation at most. */
export const mostDeployments = 1_000;

/** The deployment does not exist, or not here. */
export class DeploymentNotFoundError extends Error {
  override name = "DeploymentNotFoundError";
  readonly deploymentId: string;
  constructor(deploymentId: string) {
    super("Not found");
    this.deploymentId = deploymentId;
  }
}

/** The organisation has as many deployments as it can have. */
export class DeploymentLimitError extends Error {
  override name = "DeploymentLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${mostDeployments} deployments`);
  }
}
