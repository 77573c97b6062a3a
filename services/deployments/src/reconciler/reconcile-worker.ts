import { type Backoff, backoffMs } from "@aiplatform/backoff";
import type { LeaseTerm } from "@aiplatform/document-store";
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
  /** Whether the last reconciliation has found that nothing changes by itself. */
  isAsleep: boolean;
  /** Reconciliations that failed in a row. */
  failures: number;
  /** Before this time of the monotonic clock only a signal leads to another one, ms. */
  retryAt: number;
}

const worker = "rollouts";
/** Between two resyncs, ms; less where leases are short. */
const resyncEveryMs = 1_000;
/** While all that is held is asleep: between two looks at what others have made of it, ms, and renewals in the time of a lease. */
const sleepersEveryMs = 5_000;
const renewals = 3;
const backoff: Backoff = { minMs: 1_000, maxMs: 15_000 };
/** Leases that are claimed in one resync. */
const maxClaims = 50;
/** Reconciliations of one deployment in a row; after that, others and the clock have their turn. */
const maxReconciles = 20;

/**
 * Reconciles every deployment whose lease this replica holds. Signals make it prompt; a resync every second, or every few
 * seconds where no instance is there or wanted, makes it certain, even after a lost signal or the death of a replica.
 */
export class ReconcileWorker implements AsyncDisposable {
  readonly #dependencies: WorkerDependencies;
  readonly #stop = new AbortController();
  readonly #items = new Map<string, WorkItem>();
  readonly #worker: Worker;
  /** When it was last read what this replica holds, and looked for what others no longer hold. */
  #readAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    dependencies.driver.onChange((ref) => this.enqueue(ref));
    const pauses = {
      pauseMs: Math.min(resyncEveryMs, dependencies.leaseMs / 4),
      // Leases that are held have to be renewed in time, and those of a replica that is gone to be taken over.
      maxPauseMs: Math.min(sleepersEveryMs, dependencies.leaseMs / renewals),
      isIdle: () => this.#areAsleep(),
    };
    this.#worker = startWorker(dependencies, { name: worker, ...pauses, round: () => this.#resync() });
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
    const { leased, holder, logger } = this.#dependencies;
    await leased.leases.releaseAll(holder).catch((error: unknown) => {
      logger.warn({ err: error, worker }, "leases were not released; they expire by themselves");
    });
  }

  async #resync(): Promise<void> {
    const { leased, leaseMs } = this.#dependencies;
    // A lease that was taken without an item expires.
    if (this.#items.size > 0) {
      await leased.leases.renewAll(this.#term);
      if (this.#isDue(this.#readAt, sleepersEveryMs)) await this.#resyncHeld();
    }
    if (this.#isDue(this.#lookedAt, leaseMs / 2)) await this.#claimDue();
    await this.#collectOrphans();
  }

  /** Whether something is to be done now that was done at a time: always, or, while all are asleep, so often. */
  #isDue(doneAt: number, everyMs: number): boolean {
    return !this.#areAsleep() || performance.now() - doneAt >= everyMs;
  }

  async #claimDue(): Promise<void> {
    const { leases } = this.#dependencies.leased;
    this.#lookedAt = performance.now();
    const isAnyDue = (await leases.dueInMs()) === 0;
    for (let count = 0; isAnyDue && count < maxClaims && !this.#stop.signal.aborted; count += 1) {
      const claim = await leases.claim(this.#term);
      if (!claim) break;
      void this.#run(refOf(claim.work), claim.work);
    }
  }

  async #resyncHeld(): Promise<void> {
    const before = new Set(this.#items.keys());
    this.#readAt = performance.now();
    const held = await this.#dependencies.leased.leases.held(this.#term.holder);
    for (const deployment of held) void this.#run(refOf(deployment), deployment);
    const ours = new Set(held.map(({ id }) => id));
    for (const id of before) if (!ours.has(id)) this.#dropIfIdle(id);
  }

  /** Whether nothing that this replica holds changes by itself. */
  #areAsleep(): boolean {
    return this.#items.values().every(({ isAsleep }) => isAsleep);
  }

  /** One run of a deployment at a time; a signal that comes meanwhile is answered by another reconciliation at its end. */
  #run(ref: DeploymentRef, deployment?: Deployment): Promise<void> {
    const item = this.#items.get(ref.deploymentId) ?? this.#add(ref);
    if (item.run) {
      // A resync comes again by itself; a signal has something new to show.
      if (!deployment) item.isRequeued = true;
      return item.run;
    }
    if (deployment && performance.now() < item.retryAt) return Promise.resolve();
    item.run = this.#reconcileUntilSettled(item, deployment)
      .then(
        () => {
          item.failures = 0;
        },
        (error: unknown) => this.#backOff(item, error),
      )
      .finally(() => {
        item.run = undefined;
      });
    return item.run;
  }

  /** The lease stays ours: another replica would fail as well. */
  #backOff(item: WorkItem, error: unknown): void {
    item.failures += 1;
    item.retryAt = performance.now() + backoffMs(backoff, item.failures);
    const { organisationId, deploymentId: id } = item.ref;
    const facts = { err: error, worker, organisation_id: organisationId, id, attempt: item.failures };
    this.#dependencies.logger.warn(facts, "work failed, retrying after a pause");
  }

  #add({ organisationId, deploymentId }: DeploymentRef): WorkItem {
    const ref = { organisationId, deploymentId };
    const reconciler = new DeploymentReconciler({ ...this.#dependencies, requeue: () => this.enqueue(ref) });
    const item = { ref, reconciler, run: undefined, isRequeued: false, isAsleep: false, failures: 0, retryAt: 0 };
    this.#items.set(deploymentId, item);
    if (this.#items.size === 1) this.#worker.wake();
    return item;
  }

  async #reconcileUntilSettled(item: WorkItem, given: Deployment | undefined): Promise<void> {
    const { ref, reconciler } = item;
    const { leased, holder } = this.#dependencies;
    let deployment = given;
    for (let count = 0; count < maxReconciles && !this.#stop.signal.aborted; count += 1) {
      item.isRequeued = false;
      item.isAsleep = false;
      deployment ??= await this.#acquire(ref);
      if (!deployment) return await this.#drop(item);
      const result = await reconciler.reconcile(deployment);
      item.isAsleep = result === "asleep";
      if (result === "settled") await leased.leases.release({ ...leaseOf(ref), holder, failures: 0 });
      deployment = undefined;
      if (result === "requeue" || item.isRequeued) continue;
      if (result !== "wait" && result !== "asleep") this.#items.delete(ref.deploymentId);
      return;
    }
  }

  async #acquire(ref: DeploymentRef): Promise<Deployment | undefined> {
    return (await this.#dependencies.leased.leases.acquire(leaseOf(ref), this.#term))?.work;
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

  get #term(): LeaseTerm {
    const { holder, leaseMs } = this.#dependencies;
    return { holder, leaseMs };
  }
}

function refOf({ organisationId, id }: Deployment): DeploymentRef {
  return { organisationId, deploymentId: id };
}

function leaseOf({ organisationId, deploymentId }: DeploymentRef) {
  return { organisationId, id: deploymentId };
}
