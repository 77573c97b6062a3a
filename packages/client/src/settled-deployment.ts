import type { components } from "../gen/api.d.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { WaitOptions } from "./wait-options.ts";

/** A deployment with how its latest rollout goes. */
export type DeploymentState = components["schemas"]["CustomServingDeployment"];

/** The rollout that is waited for. */
export interface RolloutAddress {
  deployment_id: string;
  /** Default: the latest, whichever that is. */
  rollout_request_id?: string;
}

/** How it is waited. */
export interface DeploymentWaitOptions extends WaitOptions {
  /** Until the deployment is stopped, and not until a rollout has ended. Default false. */
  stopping?: boolean;
}

const rollingOut: ReadonlySet<DeploymentState["rollout_status"]> = new Set(["Queued", "InProgress"]);
const onTheWay: ReadonlySet<DeploymentState["status"]> = new Set(["Pending", "Deploying", "Updating"]);

/**
 * Waits until a rollout has ended, well or badly, or another has taken its place, and returns the deployment as it is
 * then.
 * @throws the signal's reason when that is aborted before
 */
export async function settledDeployment(
  platform: Pick<PlatformClient, "events">,
  { deployment_id, rollout_request_id }: RolloutAddress,
  { signal, stopping = false }: DeploymentWaitOptions = {},
): Promise<DeploymentState> {
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const stream = platform.events("/platform/deployments/{deployment_id}/stream", { path: { deployment_id } }, either);
  try {
    for await (const { data } of stream) {
      const isAnother = rollout_request_id !== undefined && data.rollout_request_id !== rollout_request_id;
      const isDone = stopping
        ? data.status === "Stopped"
        : !rollingOut.has(data.rollout_status) && !onTheWay.has(data.status);
      if (isAnother || isDone) return data;
    }
  } finally {
    stop.abort();
  }
  signal?.throwIfAborted();
  throw new Error(`the stream of deployment ${deployment_id} ended before its rollout`);
}
