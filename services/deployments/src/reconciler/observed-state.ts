import type { DeploymentVersion } from "../deployment-versions/deployment-version.ts";
import type { Deployment } from "../deployments/deployment.ts";
import type { ObservedInstance } from "../serving/serving-driver.ts";
import type { VersionScale } from "./scale.ts";

/** Times that decisions go by, ms. */
export interface ReconcileOptions {
  /** That a new version has to become ready. */
  rolloutTimeoutMs: number;
  /** How long a version that was replaced goes on answering, for the gateways to notice. */
  drainMs: number;
}

/** Everything that a decision looks at: the deployment says what is desired, the rest what is there. */
export interface ObservedState {
  deployment: Deployment;
  /** Those that serve or are to, by id. */
  versions: ReadonlyMap<string, DeploymentVersion>;
  /** All instances there are, by version. */
  instancesByVersion: ReadonlyMap<string, readonly ObservedInstance[]>;
  /** How many instances each version was to have at the last reconciliation. */
  scales: ReadonlyMap<string, VersionScale>;
  /** Since when each version that was replaced has been. */
  retired: ReadonlyMap<string, Date>;
  /** From when the time of the rollout under way counts; undefined while none is. */
  rolloutSince: Date | undefined;
  /** Whether it is time again to store how many predictions are under way. */
  isUsageDue: boolean;
  options: ReconcileOptions;
  now: Date;
}
