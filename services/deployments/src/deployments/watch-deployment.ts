import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ChangeDependencies } from "./change-deployment.ts";
import { type Deployment, DeploymentNotFoundError, type DeploymentRef } from "./deployment.ts";

/** This replica stops: the watcher should come back, and will find another. */
export class ReconnectError extends Error {
  override name = "ReconnectError";
  constructor() {
    super("server is draining, reconnect");
  }
}

/** Minimum between two answers of one watcher: faster changes arrive as one. */
const spacingMs = 100;
/** A signal may get lost. */
const rereadMs = 1_000;

/**
 * The deployment as it is, and again whenever it is another; ends when it is gone. A reader that is slower than the
 * changes gets them together: nothing is queued for it.
 * @throws DeploymentNotFoundError, ReconnectError when this replica stops
 */
export async function* watchDeployment(
  { deployments, changes }: Pick<ChangeDependencies, "deployments" | "changes">,
  { organisationId, deploymentId }: DeploymentRef,
  signal: AbortSignal,
): AsyncGenerator<Deployment> {
  using change = changes.listen(deploymentId);
  let shown: Deployment | undefined;
  while (!signal.aborted) {
    if (changes.draining) throw new ReconnectError();
    const deployment = await deployments.find(organisationId, deploymentId);
    if (!deployment && !shown) throw new DeploymentNotFoundError(deploymentId);
    if (!deployment) return;
    if (shown && isSameToSee(shown, deployment)) {
      await change.next(rereadMs, signal);
      continue;
    }
    shown = deployment;
    const spacing = performance.now() + spacingMs;
    yield deployment;
    await delay(Math.max(0, spacing - performance.now()), undefined, { signal }).catch(() => undefined);
  }
}

/** What the reconciler notes for itself is nothing to tell. */
function isSameToSee(some: Deployment, other: Deployment): boolean {
  return isDeepStrictEqual(toSee(some), toSee(other));
}

function toSee({ wakeRequestedAt, endpoints, instances, ...seen }: Deployment) {
  return seen;
}
