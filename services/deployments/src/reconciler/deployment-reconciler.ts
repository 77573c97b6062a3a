import type { Logger } from "@aiplatform/service-host";
import type { ServedVersion } from "../deployment-versions/deployment-version.ts";
import type { Deployment, DeploymentRef } from "../deployments/deployment.ts";
import { isUnderWay } from "../rollouts/rollout.ts";
import type { InstanceSet, InstanceState, ObservedInstance, ServingDriver } from "../serving/serving-driver.ts";
import { type Decision, decide } from "./decide.ts";
import type { ObservedState, ReconcileOptions } from "./observed-state.ts";
import type { RolloutMetrics } from "./rollout-metrics.ts";
import type { VersionScale } from "./scale.ts";
import { endsRollout, finalizeDeletion, type StatusDependencies, writeStatus } from "./write-status.ts";

export interface ReconcilerDependencies extends StatusDependencies {
  driver: ServingDriver;
  options: ReconcileOptions;
  metrics: RolloutMetrics;
  clock: () => Date;
  logger: Pick<Logger, "info" | "warn">;
  /** Asks for the deployment to be reconciled again. */
  requeue: () => void;
}

/**
 * `requeue`: there is more to do at once; `wait`: for the next change; `asleep`: the same, and nothing changes by itself, since no instance
 * is there or wanted; `settled`: there is nothing to do until a caller changes the
 * deployment; `deleted`: the deployment is gone.
 */
export type ReconcileResult = "requeue" | "wait" | "asleep" | "settled" | "deleted";

/** After how long a scale is applied again though nothing changed, ms: a driver may have lost it. */
const reapplyMs = 30_000;
/** How often the number of predictions under way is stored, ms. */
const usageIntervalMs = 2_000;

/** Reconciles one deployment while its lease is ours. What it keeps in memory may be lost at any time. */
export class DeploymentReconciler {
  readonly #dependencies: ReconcilerDependencies;
  #scales: ReadonlyMap<string, VersionScale> = new Map();
  #retired: ReadonlyMap<string, Date> = new Map();
  #instances: ObservedState["instancesByVersion"] = new Map();
  #rollout: { id: string; since: Date } | undefined;
  #usageStoredAt = new Date(0);
  readonly #knownVersions = new Map<string, ServedVersion>();
  readonly #applied = new Map<string, { count: number; at: number }>();
  readonly #removing = new Map<string, Promise<void>>();

  constructor(dependencies: ReconcilerDependencies) {
    this.#dependencies = dependencies;
  }

  /** The states of its instances, as last observed. */
  *states(): Iterable<InstanceState> {
    for (const instances of this.#instances.values()) for (const { state } of instances) yield state;
  }

  /** Takes one step from the observed state to the desired one. */
  async reconcile(deployment: Deployment): Promise<ReconcileResult> {
    const state = await this.#observe(deployment);
    const decision = decide(state);
    const isChanged = Object.keys(decision.patch).length > 0;
    if (isChanged && !(await this.#write(deployment, decision, state.now))) return "requeue";
    await this.#apply(state, decision);
    if (decision.isGone) {
      return (await finalizeDeletion(this.#dependencies, deployment, state.now)) ? "deleted" : "requeue";
    }
    if ("rollout" in decision.patch) return "requeue";
    const { status = deployment.status } = decision.patch;
    const isEmpty = decision.desired.size === 0 && state.instancesByVersion.size === 0;
    if (isEmpty && (status === "Stopped" || status === "Failed")) return "settled";
    return this.#isAsleep(state, decision) ? "asleep" : "wait";
  }

  #isAsleep({ deployment, instancesByVersion }: ObservedState, { desired, retired }: Decision): boolean {
    const isUnused =
      desired.values().every(({ count }) => count === 0) &&
      instancesByVersion.values().every(({ length }) => length === 0);
    return isUnused && retired.size === 0 && this.#removing.size === 0 && !isUnderWay(deployment.rollout.status);
  }

  /** Ends what this replica runs of a deployment that another replica has the lease of. */
  async stopLocalInstances({ deploymentId }: Pick<DeploymentRef, "deploymentId">): Promise<void> {
    const { driver } = this.#dependencies;
    if (driver.reach !== "replica") return;
    const left = (await driver.known()).filter((ref) => ref.deploymentId === deploymentId);
    await Promise.all(left.map((ref) => driver.remove(ref)));
  }

  async #observe(deployment: Deployment): Promise<ObservedState> {
    const { driver, clock, options } = this.#dependencies;
    const { organisationId, id: deploymentId, currentVersionId, rollout, canary } = deployment;
    const known = (await driver.known()).filter((ref) => ref.deploymentId === deploymentId);
    const instancesByVersion = new Map<string, readonly ObservedInstance[]>();
    for (const ref of known.toSorted((a, b) => (a.versionId < b.versionId ? -1 : 1)))
      instancesByVersion.set(ref.versionId, await driver.observe(ref));
    const ids = [currentVersionId, rollout.versionId, canary?.versionId].filter((id) => id !== undefined);
    const versions = await this.#versions(organisationId, [...new Set(ids)]);
    const now = clock();
    this.#instances = instancesByVersion;
    return {
      ...{ deployment, versions, instancesByVersion, options, now },
      scales: this.#scales,
      retired: this.#retired,
      rolloutSince: this.#rolloutSince(deployment, now),
      isUsageDue: now.getTime() - this.#usageStoredAt.getTime() >= usageIntervalMs,
    };
  }

  /** Versions never change: each is read once. */
  async #versions(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ServedVersion>> {
    const unknown = ids.filter((id) => !this.#knownVersions.has(id));
    for (const version of await this.#dependencies.deploymentVersions.findServed(organisationId, unknown))
      this.#knownVersions.set(version.id, version);
    for (const id of this.#knownVersions.keys()) if (!ids.includes(id)) this.#knownVersions.delete(id);
    return this.#knownVersions;
  }

  /** A rollout that is taken over gets its time again: what was lost in between was not the version's fault. */
  #rolloutSince({ rollout }: Deployment, now: Date): Date | undefined {
    if (!isUnderWay(rollout.status)) this.#rollout = undefined;
    else if (this.#rollout?.id !== rollout.id) this.#rollout = { id: rollout.id, since: now };
    return this.#rollout?.since;
  }

  async #write(deployment: Deployment, decision: Decision, now: Date): Promise<boolean> {
    const { metrics, logger } = this.#dependencies;
    if (!(await writeStatus(this.#dependencies, deployment, decision, now))) return false;
    if ("instances" in decision.patch) this.#usageStoredAt = now;
    const { status, rollout } = decision.patch;
    const about = { deployment_id: deployment.id, organisation_id: deployment.organisationId };
    if (status !== undefined)
      logger.info({ ...about, from: deployment.status, status }, "a deployment's status changed");
    if (rollout && endsRollout(deployment, decision)) {
      metrics.ended({ rollout }, now);
      logger.info(
        { ...about, rollout_id: rollout.id, status: rollout.status, error: rollout.error },
        "a rollout ended",
      );
    }
    return true;
  }

  async #apply(state: ObservedState, { desired, removed, retired }: Decision): Promise<void> {
    this.#scales = desired;
    this.#retired = retired;
    for (const versionId of this.#applied.keys()) if (!desired.has(versionId)) this.#applied.delete(versionId);
    for (const [versionId, { count }] of desired) await this.#applyScale(state, versionId, count);
    for (const versionId of removed) this.#remove(state.deployment, versionId);
  }

  async #applyScale(
    { deployment, instancesByVersion }: ObservedState,
    versionId: string,
    replicas: number,
  ): Promise<void> {
    const { driver, logger } = this.#dependencies;
    const version = this.#knownVersions.get(versionId);
    if (!version || this.#removing.has(versionId)) return;
    const applied = this.#applied.get(versionId);
    const isFresh = applied?.count === replicas && performance.now() - applied.at < reapplyMs;
    if (isFresh && instancesByVersion.has(versionId)) return;
    try {
      await driver.apply(instanceSetOf(deployment, version, replicas));
      this.#applied.set(versionId, { count: replicas, at: performance.now() });
    } catch (error) {
      this.#applied.delete(versionId);
      logger.warn({ err: error, deployment_id: deployment.id }, "failed to apply replica count, retrying");
    }
  }

  /** Ending takes as long as predictions under way do; the deployment is reconciled meanwhile. */
  #remove({ id: deploymentId, organisationId }: Deployment, versionId: string): void {
    if (this.#removing.has(versionId)) return;
    const { driver, logger, requeue } = this.#dependencies;
    const removing = driver
      .remove({ organisationId, deploymentId, versionId })
      .catch((error: unknown) => {
        logger.warn({ err: error, deployment_id: deploymentId }, "failed to end instances, retrying");
      })
      .finally(() => {
        this.#removing.delete(versionId);
        requeue();
      });
    this.#removing.set(versionId, removing);
  }
}

function instanceSetOf({ serviceName }: Deployment, version: ServedVersion, replicas: number): InstanceSet {
  const {
    organisationId,
    deploymentId,
    id: versionId,
    runtime,
    modelName,
    files,
    datasets,
    token,
    runConfig,
  } = version;
  return {
    ...{ organisationId, deploymentId, versionId, serviceName, runtime, modelName, files, datasets, token, runConfig },
    ...(version.interface ? { interface: version.interface } : {}),
    replicas,
  };
}
