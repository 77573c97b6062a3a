import { isDeepStrictEqual } from "node:util";
import type { DeploymentsDependencies } from "../dependencies.ts";
import type { DeploymentRef } from "./change-deployment.ts";
import { type Deployment, DeploymentNotFoundError } from "./deployment.ts";

/** This replica stops: the watcher should come back, and will find another. */
export class ReconnectError extends Error {
  override name = "ReconnectError";
  readonly retryable = true;
  constructor() {
    super("server is draining, reconnect");
  }
}

/** Least time between two answers of one watcher: faster changes arrive as one. */
const spacingMs = 100;
/** A hint may get lost. */
const lookEveryMs = 1_000;

/**
 * The deployment as it is, and again whenever it is another; ends when it is gone. A reader that is slower than the changes gets
 * them together: nothing is queued for it. Throws DeploymentNotFoundError, ReconnectError when this replica stops.
 */
export async function* watchDeployment(
  { deployments, changes }: Pick<DeploymentsDependencies, "deployments" | "changes">,
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
      await change.next(lookEveryMs, signal);
      continue;
    }
    shown = deployment;
    const spacing = performance.now() + spacingMs;
    yield deployment;
    await pause(spacing - performance.now(), signal);
  }
}

/** What the controller notes for itself is nothing to tell. */
function isSameToSee(some: Deployment, other: Deployment): boolean {
  return isDeepStrictEqual(toSee(some), toSee(other));
}

function toSee({ lease, wakeRequestedAt, endpoints, instances, ...seen }: Deployment) {
  return seen;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
