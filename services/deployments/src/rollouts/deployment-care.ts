import type { Logger } from "@aiplatform/service-host";
import type { Deployment } from "../deployments/deployment.ts";
import type { DeploymentVersion } from "../deployments/deployment-version.ts";
import { isUnderWay } from "../deployments/rollout.ts";
import type { InstanceState, ObservedInstance, ServingDriver } from "../serving/serving-driver.ts";
import { decide } from "./decide.ts";
import type { RolloutMetrics } from "./rollout-metrics.ts";
import type { VersionScale } from "./scale.ts";
import type { Decision, RolloutTimes, Situation } from "./situation.ts";
import { type DecisionWriter, deleteDeployment, endsRollout, writeDecision } from "./write-decision.ts";

/** What looking after a deployment needs. */
export interface CareParts extends DecisionWriter {
  driver: ServingDriver;
  times: RolloutTimes;
  metrics: RolloutMetrics;
  clock: () => Date;
  logger: Pick<Logger, "info" | "warn">;
  /** Asks for another look at the deployment. */
  lookAgain: () => void;
}

/**
 * How a look ended: `again` where there is more to do at once, `waits` where the next change is awaited, `rests` where
 * nothing is to be done until a caller changes the deployment, `gone` where the deployment is gone.
 */
export type CareEnd = "again" | "waits" | "rests" | "gone";

/** How long what the driver was told is believed to hold, ms. */
const toldAgainMs = 30_000;
/** How often the number of predictions under way is stored, ms. */
const useEveryMs = 2_000;

/** Looks after one deployment while its lease is ours. What it keeps in memory may be lost at any time. */
export class DeploymentCare {
  readonly #parts: CareParts;
  #scales: ReadonlyMap<string, VersionScale> = new Map();
  #retired: ReadonlyMap<string, Date> = new Map();
  #observed: Situation["observed"] = new Map();
  #rollout: { id: string; since: Date } | undefined;
  #usedAt = new Date(0);
  readonly #knownVersions = new Map<string, DeploymentVersion>();
  readonly #told = new Map<string, { count: number; at: number }>();
  readonly #removing = new Map<string, Promise<void>>();

  constructor(parts: CareParts) {
    this.#parts = parts;
  }

  /** The states of its instances, as last seen. */
  *states(): Iterable<InstanceState> {
    for (const instances of this.#observed.values()) for (const { state } of instances) yield state;
  }

  /** Looks at the deployment once, and does what is to be done. */
  async look(deployment: Deployment): Promise<CareEnd> {
    const situation = await this.#situation(deployment);
    const decision = decide(situation);
    if (Object.keys(decision.changes).length > 0 && !(await this.#write(deployment, decision, situation.now)))
      return "again";
    await this.#bringAbout(situation, decision);
    if (decision.isGone) return (await deleteDeployment(this.#parts, deployment, situation.now)) ? "gone" : "again";
    if ("rollout" in decision.changes) return "again";
    const { status = deployment.status } = decision.changes;
    const isAtRest = decision.wanted.size === 0 && situation.observed.size === 0;
    return isAtRest && (status === "Stopped" || status === "Failed") ? "rests" : "waits";
  }

  /** Another replica looks after the deployment: instances on this replica are no longer part of it. */
  async end(deployment: Pick<Deployment, "id">): Promise<void> {
    const { driver } = this.#parts;
    if (driver.reach !== "replica") return;
    const left = (await driver.known()).filter(({ deploymentId }) => deploymentId === deployment.id);
    await Promise.all(left.map((ref) => driver.remove(ref)));
  }

  async #situation(deployment: Deployment): Promise<Situation> {
    const { driver, clock, times } = this.#parts;
    const { organisationId, id: deploymentId, currentVersionId, rollout, canary } = deployment;
    const known = (await driver.known()).filter((ref) => ref.deploymentId === deploymentId);
    const observed = new Map<string, readonly ObservedInstance[]>();
    for (const ref of known.toSorted((a, b) => (a.versionId < b.versionId ? -1 : 1)))
      observed.set(ref.versionId, await driver.observe(ref));
    const ids = [currentVersionId, rollout.versionId, canary?.versionId].filter((id) => id !== undefined);
    const versions = await this.#versions(organisationId, [...new Set(ids)]);
    const now = clock();
    this.#observed = observed;
    return {
      ...{ deployment, versions, observed, times, now },
      scales: this.#scales,
      retired: this.#retired,
      rolloutSince: this.#rolloutSince(deployment, now),
      isUseDue: now.getTime() - this.#usedAt.getTime() >= useEveryMs,
    };
  }

  /** Versions never change: each is read once. */
  async #versions(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, DeploymentVersion>> {
    const unknown = ids.filter((id) => !this.#knownVersions.has(id));
    for (const version of await this.#parts.deploymentVersions.findAll(organisationId, unknown))
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
    const { metrics, logger } = this.#parts;
    if (!(await writeDecision(this.#parts, deployment, decision, now))) return false;
    if ("instances" in decision.changes) this.#usedAt = now;
    const { status, rollout } = decision.changes;
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

  async #bringAbout(situation: Situation, { wanted, removed, retired }: Decision): Promise<void> {
    this.#scales = wanted;
    this.#retired = retired;
    for (const versionId of this.#told.keys()) if (!wanted.has(versionId)) this.#told.delete(versionId);
    for (const [versionId, { count }] of wanted) await this.#tell(situation, versionId, count);
    for (const versionId of removed) this.#remove(situation.deployment, versionId);
  }

  async #tell({ deployment, versions, observed }: Situation, versionId: string, count: number): Promise<void> {
    const version = versions.get(versionId);
    if (!version || this.#removing.has(versionId)) return;
    const told = this.#told.get(versionId);
    const isFresh = told?.count === count && performance.now() - told.at < toldAgainMs;
    if (isFresh && observed.has(versionId)) return;
    try {
      await this.#parts.driver.apply({ ...setOf(deployment, version), wanted: count });
      this.#told.set(versionId, { count, at: performance.now() });
    } catch (error) {
      this.#told.delete(versionId);
      this.#parts.logger.warn({ err: error, deployment_id: deployment.id }, "failed to apply replica count, retrying");
    }
  }

  /** Ending takes as long as predictions under way do; the deployment is looked at meanwhile. */
  #remove({ id: deploymentId, organisationId }: Deployment, versionId: string): void {
    if (this.#removing.has(versionId)) return;
    const { driver, logger, lookAgain } = this.#parts;
    const removing = driver
      .remove({ organisationId, deploymentId, versionId })
      .catch((error: unknown) => {
        logger.warn({ err: error, deployment_id: deploymentId }, "failed to end instances, retrying");
      })
      .finally(() => {
        this.#removing.delete(versionId);
        lookAgain();
      });
    this.#removing.set(versionId, removing);
  }
}

function setOf({ serviceName }: Deployment, version: DeploymentVersion) {
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
  };
}
