import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { Deployment } from "../deployments/deployment.ts";
import type { InstanceState } from "../serving/serving-driver.ts";
import type { DeploymentRef } from "./cared-deployment-store.ts";
import { type CareParts, DeploymentCare } from "./deployment-care.ts";

/** What the controller needs. */
export interface ControllerParts extends Omit<CareParts, "lookAgain">, Omit<WorkerPlatform, "logger"> {
  /** How long a replica is believed to look after a deployment without a sign of life, ms. */
  leaseMs: number;
}

interface Cared {
  ref: DeploymentRef;
  care: DeploymentCare;
  visit: Promise<void> | undefined;
  isAskedAgain: boolean;
}

/** Between two looks at everything, ms; less where leases are short. */
const longestPauseMs = 1_000;
/** Deployments that are taken over in one look. */
const takenAtOnce = 50;
/** Looks at one deployment in a row; after that, others and the clock have their turn. */
const mostLooks = 20;

/**
 * Brings deployments to what is wanted of them, one replica each at a time. Wake-ups make it prompt; a look at everything
 * each second makes it certain, even after a missed wake-up or the death of a replica.
 */
export class RolloutController implements AsyncDisposable {
  readonly #parts: ControllerParts;
  readonly #stop = new AbortController();
  readonly #cared = new Map<string, Cared>();
  readonly #worker: Worker;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    parts.driver.onChange(({ organisationId, deploymentId }) => this.wake({ organisationId, id: deploymentId }));
    const pauseMs = Math.min(longestPauseMs, parts.leaseMs / 4);
    this.#worker = startWorker(parts, { name: "rollouts", pauseMs, round: () => this.#lookAround() });
  }

  /** Looks at a deployment now, unless another replica looks after it. */
  wake(ref: DeploymentRef): void {
    if (!this.#stop.signal.aborted) void this.#visit(ref);
  }

  /** The states of all instances that this replica looks after. */
  *states(): Iterable<InstanceState> {
    for (const { care } of this.#cared.values()) yield* care.states();
  }

  /** Others take over at once; what runs as processes of this replica ends with its driver. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all([...this.#cared.values()].map(({ visit }) => visit));
    await this.#parts.cared.releaseAll(this.#parts.holder).catch((error: unknown) => {
      this.#parts.logger.warn({ err: error }, "failed to release leases; they expire by themselves");
    });
  }

  async #lookAround(): Promise<void> {
    const { cared, holder, clock } = this.#parts;
    const before = new Set(this.#cared.keys());
    await cared.renew(holder, this.#until());
    const held = await cared.held(holder);
    for (const deployment of held) void this.#visit(deployment, deployment);
    const ours = new Set(held.map(({ id }) => id));
    for (const id of before) if (!ours.has(id)) this.#lose(id);
    const abandoned = await cared.abandoned(clock(), takenAtOnce);
    for (const ref of abandoned) void this.#visit(ref);
    await this.#endStrays();
  }

  /** One visit of a deployment at a time; what asks meanwhile is answered by another look at its end. */
  #visit(ref: DeploymentRef, deployment?: Deployment): Promise<void> {
    const entry = this.#cared.get(ref.id) ?? this.#enter(ref);
    if (entry.visit) {
      // A look at everything comes again by itself; a wake-up has something new to show.
      if (!deployment) entry.isAskedAgain = true;
      return entry.visit;
    }
    entry.visit = this.#lookUntilDone(entry, deployment)
      .catch((error: unknown) => {
        const { logger } = this.#parts;
        logger.warn({ err: error, deployment_id: ref.id }, "a deployment is left to the next look");
      })
      .finally(() => {
        entry.visit = undefined;
      });
    return entry.visit;
  }

  #enter({ id, organisationId }: DeploymentRef): Cared {
    const ref = { id, organisationId };
    const care = new DeploymentCare({ ...this.#parts, lookAgain: () => this.wake(ref) });
    const entry = { ref, care, visit: undefined, isAskedAgain: false };
    this.#cared.set(id, entry);
    return entry;
  }

  async #lookUntilDone(entry: Cared, given: Deployment | undefined): Promise<void> {
    const { ref, care } = entry;
    let deployment = given;
    for (let looks = 0; looks < mostLooks && !this.#stop.signal.aborted; looks += 1) {
      entry.isAskedAgain = false;
      deployment ??= await this.#take(ref);
      if (!deployment) return await this.#leave(entry);
      const end = await care.look(deployment);
      if (end === "rests") await this.#parts.cared.release(ref, this.#parts.holder);
      deployment = undefined;
      if (end === "again" || entry.isAskedAgain) continue;
      if (end !== "waits") this.#cared.delete(ref.id);
      return;
    }
  }

  #take(ref: DeploymentRef): Promise<Deployment | undefined> {
    const { cared, holder, clock } = this.#parts;
    return cared.take(ref, holder, { now: clock(), until: this.#until() });
  }

  /** Another replica looks after it now, or it no longer exists. */
  async #leave({ ref, care }: Cared): Promise<void> {
    this.#cared.delete(ref.id);
    await care.end(ref);
  }

  #lose(id: string): void {
    const entry = this.#cared.get(id);
    // A visit under way notices by itself: it can no longer write anything.
    if (entry && !entry.visit) void this.#visit(entry.ref);
  }

  /** Ends instances of deployments that this replica does not look after, or that are no more. */
  async #endStrays(): Promise<void> {
    const { driver, cared, logger } = this.#parts;
    const strays = (await driver.known()).filter(({ deploymentId }) => !this.#cared.has(deploymentId));
    if (strays.length === 0) return;
    const existing = driver.reach === "replica" ? new Set() : await cared.existing(strays);
    for (const ref of strays) {
      if (existing.has(ref.deploymentId)) continue;
      driver.remove(ref).catch((error: unknown) => {
        logger.warn({ err: error, deployment_id: ref.deploymentId }, "failed to end instances, retrying");
      });
    }
  }

  #until(): Date {
    return new Date(this.#parts.clock().getTime() + this.#parts.leaseMs);
  }
}
