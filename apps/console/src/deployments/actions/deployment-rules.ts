import type { Deployment } from "../../api/platform.ts";

/** Actions and the statuses in which the platform takes them. */
const statuses: Readonly<Record<string, ReadonlySet<Deployment["status"]>>> = {
  rollout: new Set(["Pending", "Deploying", "Running", "Updating", "Unhealthy", "Failed"]),
  rollback: new Set(["Running", "Updating", "Unhealthy", "Failed"]),
  canary: new Set(["Running", "Updating", "Unhealthy"]),
  "end-canary": new Set(["Running", "Updating", "Unhealthy"]),
  stop: new Set(["Pending", "Deploying", "Running", "Updating", "Unhealthy", "Failed"]),
  start: new Set(["Stopped"]),
};

/** Why a deployment does not take an action now; undefined when it does. */
export function deploymentObjection(
  action: string,
  { status, model_id }: Pick<Deployment, "status" | "model_id">,
): string | undefined {
  if (!statuses[action]?.has(status)) return `Not possible while the deployment is ${status.toLowerCase()}.`;
  if (action === "rollout" && model_id === null)
    return "It serves a bundle of its own. Roll out another one through the API.";
  return undefined;
}
