import type { Deployment } from "../deployments/deployment.ts";
import type { DeploymentVersion } from "../deployments/deployment-version.ts";
import type { RolloutReason } from "../deployments/rollout.ts";
import type { ObservedInstance } from "../serving/serving-driver.ts";
import type { VersionScale } from "./scale.ts";

/** Times that decisions go by, ms. */
export interface RolloutTimes {
  /** That a new version has to become ready. */
  rolloutTimeoutMs: number;
  /** How long a version that was replaced goes on answering, for the gateways to notice. */
  drainMs: number;
}

/** Everything that a decision looks at. */
export interface Situation {
  deployment: Deployment;
  /** Those that serve or are to, by id. */
  versions: ReadonlyMap<string, DeploymentVersion>;
  /** All instances there are, by version. */
  observed: ReadonlyMap<string, readonly ObservedInstance[]>;
  /** How many instances each version was to have when it was last looked at. */
  scales: ReadonlyMap<string, VersionScale>;
  /** Since when each version that was replaced has been. */
  retired: ReadonlyMap<string, Date>;
  /** From when the time of the rollout under way counts; undefined while none is. */
  rolloutSince: Date | undefined;
  /** Whether it is time again to write down how many predictions are under way. */
  isUseDue: boolean;
  times: RolloutTimes;
  now: Date;
}

/** What a decision may change of a deployment. */
export type DeploymentMove = Partial<
  Pick<Deployment, "status" | "currentVersionId" | "modelVersionId" | "rollout" | "canary" | "endpoints" | "instances">
>;

/** Why a rollout failed. */
export interface RolloutFailure {
  reason: RolloutReason;
  message: string;
}

/** What is to be done, in this order: written, wanted, removed. */
export interface Decision {
  /** What becomes of the deployment's document; empty where it stays. */
  changes: DeploymentMove;
  /** A version that was gone back from. */
  rolledBackVersionId: string | undefined;
  /** How many instances each version is to have. */
  wanted: ReadonlyMap<string, VersionScale>;
  /** Versions whose instances are to end now. */
  removed: readonly string[];
  /** Versions that were replaced and go on for a moment. */
  retired: ReadonlyMap<string, Date>;
  /** The deployment is to be deleted, and no instance of it is left. */
  isGone: boolean;
}
