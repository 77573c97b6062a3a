import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  translated,
} from "@aiplatform/document-store";
import type { Deployment, DeploymentRef } from "../deployments/deployment.ts";
import { type DeploymentDocument, toDeployment, toDeploymentDocument } from "../deployments/deployment-document.ts";
import { deploymentsCollection } from "../deployments/deployment-store.ts";
import type { StatusPatch } from "./decide.ts";

/** What must still hold for a status to be written. */
export interface LeaseCondition {
  holder: string;
  generation: number;
}

/** The deployments as reconcilers see them: all organisations', each under its holder's lease. */
export class LeasedDeploymentStore {
  static readonly indexes: IndexPlan = {
    collection: deploymentsCollection,
    indexes: [{ name: "care", key: { "lease.holder": 1, "lease.until": 1 } }],
  };

  readonly #everywhere: Collection<DeploymentDocument>;

  constructor(store: DocumentStore) {
    this.#everywhere = store.database.collection(deploymentsCollection);
  }

  /** Renews all leases of a holder. */
  async renew(holder: string, until: Date): Promise<void> {
    const update = { $set: { "lease.until": until } };
    await translated(() => this.#everywhere.updateMany({ "lease.holder": holder }, update));
  }

  /** The deployments whose leases a holder has. */
  async held(holder: string): Promise<Deployment[]> {
    const documents = await translated(() => this.#everywhere.find({ "lease.holder": holder }).toArray());
    return documents.map(toDeployment);
  }

  /** Deployments without a live lease that something is to be done about, or that are to be kept running. */
  async claimable(now: Date, limit: number): Promise<DeploymentRef[]> {
    const filter = {
      $and: [
        { $or: [{ lease: null }, { "lease.until": { $lt: now } }] },
        // Nothing is to be done about one that has stopped, or that has failed and not been asked for again.
        {
          $or: [
            { wish: "deleted" as const },
            { wish: "stopped" as const, status: { $ne: "Stopped" as const } },
            { wish: "serve" as const, status: { $ne: "Failed" as const } },
            { wish: "serve" as const, "rollout.status": { $in: ["Queued" as const, "InProgress" as const] } },
          ],
        },
      ],
    };
    const projection = { _id: 1, organisation_id: 1 } as const;
    const found = await translated(() => this.#everywhere.find(filter, { projection, limit }).toArray());
    return found.map(({ _id, organisation_id }) => ({ organisationId: organisation_id, deploymentId: _id }));
  }

  /** Which of the deployments there are. */
  async existing(refs: readonly { deploymentId: string }[]): Promise<Set<string>> {
    const filter = { _id: { $in: refs.map(({ deploymentId }) => deploymentId) } };
    const found = await translated(() => this.#everywhere.find(filter, { projection: { _id: 1 } }).toArray());
    return new Set(found.map(({ _id }) => _id));
  }

  /** Takes the lease where it is free, expired or the holder's already. Answers the deployment then. */
  async acquire(ref: DeploymentRef, holder: string, time: { now: Date; until: Date }): Promise<Deployment | undefined> {
    const filter = {
      _id: ref.deploymentId,
      organisation_id: ref.organisationId,
      $or: [{ lease: null }, { "lease.until": { $lt: time.now } }, { "lease.holder": holder }],
    };
    const update = { $set: { lease: { holder, until: time.until } } };
    const options = { returnDocument: "after" } as const;
    const document = await translated(() => this.#everywhere.findOneAndUpdate(filter, update, options));
    return document ? toDeployment(document) : undefined;
  }

  /** Lets another replica acquire the lease at once. */
  async release({ organisationId, deploymentId }: DeploymentRef, holder: string): Promise<void> {
    const filter = { _id: deploymentId, organisation_id: organisationId, "lease.holder": holder };
    await translated(() => this.#everywhere.updateOne(filter, { $set: { lease: null } }));
  }

  /** Releases all leases of a holder. */
  async releaseAll(holder: string): Promise<void> {
    await translated(() => this.#everywhere.updateMany({ "lease.holder": holder }, { $set: { lease: null } }));
  }

  /** Writes the status if neither generation nor lease has changed since; answers whether that was so. */
  async updateStatus(
    deployment: Deployment,
    { holder, generation }: LeaseCondition,
    { patch, updatedAt }: { patch: StatusPatch; updatedAt: Date | undefined },
    session: ClientSession,
  ): Promise<boolean> {
    const after = toDeploymentDocument({ ...deployment, ...patch, updatedAt: updatedAt ?? deployment.updatedAt });
    const { _id, organisation_id, status, current_version_id, model_version_id, rollout, canary } = after;
    const { endpoints, instances, updated_at } = after;
    // Neither the lease nor a request to wake up: both may have become others meanwhile.
    const changed = { status, current_version_id, model_version_id, rollout, canary, endpoints, instances, updated_at };
    const filter = {
      ...{ _id, organisation_id, generation, "lease.holder": holder },
      // A reconciliation of what was read a moment ago must not undo one in between.
      ...{ status: deployment.status, "rollout.status": deployment.rollout.status },
    };
    const result = await translated(() => this.#everywhere.updateOne(filter, { $set: changed }, { session }));
    return result.matchedCount > 0;
  }
}
