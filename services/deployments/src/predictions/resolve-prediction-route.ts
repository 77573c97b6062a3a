import type { ServedVersion } from "../deployment-versions/deployment-version.ts";
import type { ChangeDependencies } from "../deployments/change-deployment.ts";
import { type Deployment, DeploymentError, type DeploymentRef } from "../deployments/deployment.ts";
import { weightedEndpoints } from "./traffic-split.ts";

/** Where predictions are answered. */
export interface PredictionRoute {
  targets: { url: string; weight: number; version: ServedVersion }[];
  /** Longest time of a prediction. */
  timeoutMs: number;
}

/** How long a caller waits for an instance to be started. */
export interface WaitOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

/** Nothing answers predictions just now. */
export class NothingRunsError extends DeploymentError {
  override name = "NothingRunsError";
  constructor({ id, status }: Pick<Deployment, "id" | "status">) {
    super(id, `Nothing serves: the deployment is ${status}`);
  }
}

export type PredictionDependencies = Pick<
  ChangeDependencies,
  "deployments" | "deploymentVersions" | "changes" | "notifyReconciler" | "clock"
>;

/** A signal may get lost. */
const rereadMs = 250;

/**
 * Where a deployment's predictions are answered. Where none of its instances runs because none was needed, one is asked
 * for and waited for.
 * @throws DeploymentNotFoundError, NothingRunsError
 */
export async function resolvePredictionRoute(
  dependencies: PredictionDependencies,
  ref: DeploymentRef,
  wait: WaitOptions,
): Promise<PredictionRoute> {
  const { deployments, changes, notifyReconciler, clock } = dependencies;
  const until = performance.now() + wait.timeoutMs;
  using change = changes.listen(ref.deploymentId);
  for (;;) {
    const deployment = await deployments.get(ref);
    const route = await routeOf(dependencies, deployment);
    if (route.targets.length > 0) return route;
    const remainingMs = until - performance.now();
    const isOver = remainingMs <= 0 || wait.signal.aborted || changes.draining;
    if (isOver || !sleeps(deployment)) throw new NothingRunsError(deployment);
    await deployments.requestWake(ref.organisationId, ref.deploymentId, clock());
    notifyReconciler?.(ref);
    await change.next(Math.min(rereadMs, remainingMs), wait.signal);
  }
}

/** Whether nothing runs only because nothing was needed, or an instance is on its way again. */
function sleeps({ desiredState, status, currentVersionId }: Deployment): boolean {
  return desiredState === "serve" && currentVersionId !== undefined && (status === "Running" || status === "Updating");
}

async function routeOf(
  { deploymentVersions }: Pick<PredictionDependencies, "deploymentVersions">,
  deployment: Deployment,
): Promise<PredictionRoute> {
  const endpoints = deployment.desiredState === "serve" ? weightedEndpoints(deployment) : [];
  const ids = [...new Set(endpoints.map(({ versionId }) => versionId))];
  const versions = await deploymentVersions.findServed(deployment.organisationId, ids);
  const targets = endpoints.flatMap(({ url, weight, versionId }) => {
    const version = versions.find(({ id }) => id === versionId);
    return version ? [{ url, weight, version }] : [];
  });
  const timeouts = targets.map(({ version }) => version.runConfig.timeoutSeconds * 1_000);
  return { targets, timeoutMs: Math.max(0, ...timeouts) };
}
