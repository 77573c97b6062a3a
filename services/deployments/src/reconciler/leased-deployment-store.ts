import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type Filter,
  type IndexPlan,
  Leases,
  translated,
} from "@aiplatform/document-store";
import type { Deployment } from "../deployments/deployment.ts";
import {
  type DeploymentDocument,
  deploymentsCollection,
  toDeployment,
  toDeploymentDocument,
} from "../deployments/deployment-document.ts";
import type { StatusPatch } from "./decide.ts";

/** What must still hold for a status to be written. */
export interface LeaseCondition {
  holder: string;
  generation: number;
}

/** Nothing is to be done about one that has stopped, or that has failed and not been asked for again. */
const unsettled: Filter<DeploymentDocument> = {
  $or: [
    { wish: "deleted" },
    { wish: "stopped", status: { $ne: "Stopped" } },
    { wish: "serve", status: { $ne: "Failed" } },
    { wish: "serve", "rollout.status": { $in: ["Queued", "InProgress"] } },
  ],
};

/** The deployments as reconcilers see them: all organisations', each under its holder's lease. */
export class LeasedDeploymentStore {
  static readonly indexes: IndexPlan = {
    collection: deploymentsCollection,
    owner: "organisation",
    indexes: [
      { name: "care", key: { "lease.holder": 1, "lease.until": 1 } },
      { name: "claims", key: { organisation_id: 1, "lease.until": 1 } },
    ],
  };

  /** Who reconciles which deployment; a holder is a replica. */
  readonly leases: Leases<DeploymentDocument, Deployment>;
  readonly #everywhere: Collection<DeploymentDocument>;

  constructor(store: DocumentStore) {
    this.#everywhere = store.database.collection(deploymentsCollection);
    const fields = { holder: "lease.holder", expiresAt: "lease.until", member: "lease" };
    this.leases = new Leases(store, {
      collection: deploymentsCollection,
      fields,
      wanted: unsettled,
      read: toDeployment,
    });
  }

  /** Which of the deployments there are. */
  async existing(refs: readonly { deploymentId: string }[]): Promise<Set<string>> {
    const filter = { _id: { $in: refs.map(({ deploymentId }) => deploymentId) } };
    const found = await translated(() => this.#everywhere.find(filter, { projection: { _id: 1 } }).toArray());
    return new Set(found.map(({ _id }) => _id));
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
      ...{ _id, organisation_id, generation, ...this.leases.fence(holder) },
      // A reconciliation of what was read a moment ago must not undo one in between.
      ...{ status: deployment.status, "rollout.status": deployment.rollout.status },
    };
    const result = await translated(() => this.#everywhere.updateOne(filter, { $set: changed }, { session }));
    return result.matchedCount > 0;
  }
}
