import type { DeploymentsDependencies } from "../dependencies.ts";
import type { DeploymentRef } from "./change-deployment.ts";
import { type Deployment, DeploymentNotFoundError } from "./deployment.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import { weightedEndpoints } from "./serving-shares.ts";

/** Where predictions are answered. */
export interface PredictionRoute {
  targets: { url: string; weight: number; version: DeploymentVersion }[];
  /** Longest time of a prediction. */
  timeoutMs: number;
}

/** How long a caller waits for an instance to be started, and by when. */
export interface Patience {
  waitMs: number;
  signal: AbortSignal;
}

/** Nothing answers predictions just now. */
export class NothingRunsError extends Error {
  override name = "NothingRunsError";
  readonly retryable = true;
  readonly deploymentId: string;
  constructor({ id, status }: Pick<Deployment, "id" | "status">) {
    super(`Nothing serves: the deployment is ${status}`);
    this.deploymentId = id;
  }
}

type Dependencies = Pick<
  DeploymentsDependencies,
  "deployments" | "deploymentVersions" | "changes" | "wakeController" | "clock"
>;

/** A hint may get lost. */
const lookEveryMs = 250;

/**
 * Where a deployment's predictions are answered. Where none of its instances runs because none was needed, one is asked for and
 * waited for. Throws DeploymentNotFoundError, NothingRunsError.
 */
export async function resolvePredictionRoute(
  dependencies: Dependencies,
  { organisationId, deploymentId }: DeploymentRef,
  { waitMs, signal }: Patience,
): Promise<PredictionRoute> {
  const { deployments, changes, wakeController, clock } = dependencies;
  const until = performance.now() + waitMs;
  using change = changes.listen(deploymentId);
  for (;;) {
    const deployment = await deployments.find(organisationId, deploymentId);
    if (!deployment) throw new DeploymentNotFoundError(deploymentId);
    const route = await routeOf(dependencies, deployment);
    if (route.targets.length > 0) return route;
    const remainingMs = until - performance.now();
    const isOver = remainingMs <= 0 || signal.aborted || changes.draining;
    if (isOver || !sleeps(deployment)) throw new NothingRunsError(deployment);
    await deployments.requestWake(organisationId, deploymentId, clock());
    wakeController?.(organisationId, deploymentId);
    await change.next(Math.min(lookEveryMs, remainingMs), signal);
  }
}

/** Whether nothing runs only because nothing was needed, or an instance is on its way again. */
function sleeps({ wish, status, currentVersionId }: Deployment): boolean {
  return wish === "serve" && currentVersionId !== undefined && (status === "Running" || status === "Updating");
}

async function routeOf(
  { deploymentVersions }: Pick<Dependencies, "deploymentVersions">,
  deployment: Deployment,
): Promise<PredictionRoute> {
  const endpoints = deployment.wish === "serve" ? weightedEndpoints(deployment) : [];
  const ids = [...new Set(endpoints.map(({ versionId }) => versionId))];
  const versions = await deploymentVersions.findAll(deployment.organisationId, ids);
  const targets = endpoints.flatMap(({ url, weight, versionId }) => {
    const version = versions.find(({ id }) => id === versionId);
    return version ? [{ url, weight, version }] : [];
  });
  const timeouts = targets.map(({ version }) => version.runConfig.timeoutSeconds * 1_000);
  return { targets, timeoutMs: Math.max(0, ...timeouts) };
}
