import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { Deployment, DeploymentRef } from "../deployments/deployment.ts";
import type { InstanceState } from "../serving/serving-driver.ts";
import { DeploymentReconciler, type ReconcilerDependencies } from "./deployment-reconciler.ts";

export interface WorkerDependencies extends Omit<ReconcilerDependencies, "requeue">, Omit<WorkerPlatform, "logger"> {
  /** How long the lease of a replica that no longer renews it lasts, ms. */
  leaseMs: number;
}

interface WorkItem {
  ref: DeploymentRef;
  reconciler: DeploymentReconciler;
  run: Promise<void> | undefined;
  isRequeued: boolean;
}

/** Between two resyncs, ms; less where leases are short. */
const maxPauseMs = 1_000;
/** Leases that are acquired in one resync. */
const maxClaims = 50;
/** Reconciliations of one deployment in a row; after that, others and the clock have their turn. */
const maxReconciles = 20;

/**
 * Reconciles every deployment whose lease this replica holds. Signals make it prompt; a resync each second makes it certain,
 * even after a lost signal or the death of a replica.
 */
export class ReconcileWorker implements AsyncDisposable {
  readonly #dependencies: WorkerDependencies;
  readonly #stop = new AbortController();
  readonly #items = new Map<string, WorkItem>();
  readonly #worker: Worker;

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    dependencies.driver.onChange((ref) => this.enqueue(ref));
    const pauseMs = Math.min(maxPauseMs, dependencies.leaseMs / 4);
    this.#worker = startWorker(dependencies, { name: "rollouts", pauseMs, round: () => this.#resync() });
  }

  /** Reconciles a deployment now, unless another replica holds its lease. */
  enqueue(ref: DeploymentRef): void {
    if (!this.#stop.signal.aborted) void this.#run(ref);
  }

  /** The states of all instances of this replica's deployments. */
  *states(): Iterable<InstanceState> {
    for (const { reconciler } of this.#items.values()) yield* reconciler.states();
  }

  /** Others take over at once; what runs as processes of this replica ends with its driver. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all([...this.#items.values()].map(({ run }) => run));
    await this.#dependencies.leased.releaseAll(this.#dependencies.holder).catch((error: unknown) => {
      this.#dependencies.logger.warn({ err: error }, "failed to release leases; they expire by themselves");
    });
  }

  async #resync(): Promise<void> {
    const { leased, holder, clock } = this.#dependencies;
    const before = new Set(this.#items.keys());
    await leased.renew(holder, this.#leaseEnd());
    const held = await leased.held(holder);
    for (const deployment of held) void this.#run(refOf(deployment), deployment);
    const ours = new Set(held.map(({ id }) => id));
    for (const id of before) if (!ours.has(id)) this.#dropIfIdle(id);
    const claimable = await leased.claimable(clock(), maxClaims);
    for (const ref of claimable) void this.#run(ref);
    await this.#collectOrphans();
  }

  /** One run of a deployment at a time; a signal that comes meanwhile is answered by another reconciliation at its end. */
  #run(ref: DeploymentRef, deployment?: Deployment): Promise<void> {
    const item = this.#items.get(ref.deploymentId) ?? this.#add(ref);
    if (item.run) {
      // A resync comes again by itself; a signal has something new to show.
      if (!deployment) item.isRequeued = true;
      return item.run;
    }
    item.run = this.#reconcileUntilSettled(item, deployment)
      .catch((error: unknown) => {
        const { logger } = this.#dependencies;
        logger.warn({ err: error, deployment_id: ref.deploymentId }, "failed to reconcile a deployment, retrying");
      })
      .finally(() => {
        item.run = undefined;
      });
    return item.run;
  }

  #add({ organisationId, deploymentId }: DeploymentRef): WorkItem {
    const ref = { organisationId, deploymentId };
    const reconciler = new DeploymentReconciler({ ...this.#dependencies, requeue: () => this.enqueue(ref) });
    const item = { ref, reconciler, run: undefined, isRequeued: false };
    this.#items.set(deploymentId, item);
    return item;
  }

  async #reconcileUntilSettled(item: WorkItem, given: Deployment | undefined): Promise<void> {
    const { ref, reconciler } = item;
    let deployment = given;
    for (let count = 0; count < maxReconciles && !this.#stop.signal.aborted; count += 1) {
      item.isRequeued = false;
      deployment ??= await this.#acquire(ref);
      if (!deployment) return await this.#drop(item);
      const result = await reconciler.reconcile(deployment);
      if (result === "settled") await this.#dependencies.leased.release(ref, this.#dependencies.holder);
      deployment = undefined;
      if (result === "requeue" || item.isRequeued) continue;
      if (result !== "wait") this.#items.delete(ref.deploymentId);
      return;
    }
  }

  #acquire(ref: DeploymentRef): Promise<Deployment | undefined> {
    const { leased, holder, clock } = this.#dependencies;
    return leased.acquire(ref, holder, { now: clock(), until: this.#leaseEnd() });
  }

  /** Another replica holds the lease now, or the deployment no longer exists. */
  async #drop({ ref, reconciler }: WorkItem): Promise<void> {
    this.#items.delete(ref.deploymentId);
    await reconciler.stopLocalInstances(ref);
  }

  #dropIfIdle(id: string): void {
    const item = this.#items.get(id);
    // A run under way notices by itself: it can no longer write anything.
    if (item && !item.run) void this.#run(item.ref);
  }

  /** Ends instances of deployments that this replica does not reconcile, or that no longer exist. */
  async #collectOrphans(): Promise<void> {
    const { driver, leased, logger } = this.#dependencies;
    const unknown = (await driver.known()).filter(({ deploymentId }) => !this.#items.has(deploymentId));
    if (unknown.length === 0) return;
    const existing = driver.reach === "replica" ? new Set() : await leased.existing(unknown);
    for (const ref of unknown) {
      if (existing.has(ref.deploymentId)) continue;
      driver.remove(ref).catch((error: unknown) => {
        logger.warn({ err: error, deployment_id: ref.deploymentId }, "failed to end instances, retrying");
      });
    }
  }

  #leaseEnd(): Date {
    return new Date(this.#dependencies.clock().getTime() + this.#dependencies.leaseMs);
  }
}

function refOf({ organisationId, id }: Deployment): DeploymentRef {
  return { organisationId, deploymentId: id };
}
