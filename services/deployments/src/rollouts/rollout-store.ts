import { ListRolloutsRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { canTransition, type Rollout, type RolloutStatus, RolloutTransitionError } from "./rollout.ts";

interface RolloutDocument extends TenantDocument {
  deployment_id: string;
  version_id: string;
  status: RolloutStatus;
  error: string | null;
  queued_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export interface RolloutQuery extends ListPageRequest {
  deploymentId: string;
}

const collection = "rollouts";

const rolloutList = new ListQuery(ListRolloutsRequestSchema, {
  bindings: { deployment_version_id: "version_id" },
  defaultSort: [
    ["queued_at", -1, "date"],
    ["_id", -1, "string"],
  ],
});
const newestFirst = { queued_at: -1, _id: -1 } as const;

export class RolloutStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "queued", key: { organisation_id: 1, deployment_id: 1, queued_at: -1, _id: -1 } }],
  };

  readonly #rollouts: TenantCollection<RolloutDocument>;

  constructor(store: DocumentStore) {
    this.#rollouts = new TenantCollection(store, collection);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, { deploymentId, ...request }: RolloutQuery): Promise<Page<Rollout>> {
    const source = { list: rolloutList, request, within: { deployment_id: deploymentId } };
    const { items, nextCursor } = await findPage(this.#rollouts, organisationId, source);
    return { items: items.map(toRollout), nextCursor };
  }

  /** The newest rollout that succeeded with another version than this one and was not gone back from since. */
  async lastSucceeded(
    organisationId: string,
    { deploymentId, notOf }: { deploymentId: string; notOf: string },
    session: ClientSession,
  ): Promise<Rollout | undefined> {
    const filter = { deployment_id: deploymentId, status: "Succeeded" as const, version_id: { $ne: notOf } };
    const document = await this.#rollouts.findOne(organisationId, filter, { session, sort: newestFirst });
    return document && toRollout(document);
  }

  async insert(organisationId: string, rollout: Rollout, session: ClientSession): Promise<void> {
    await this.#rollouts.insert(organisationId, toDocument(rollout), { session });
  }

  /**
   * Moves a rollout on, if it is still in the state it is to leave; answers whether it was.
   * @throws RolloutTransitionError
   */
  async transition(
    organisationId: string,
    { id, from, ...to }: Pick<Rollout, "id"> & { from: RolloutStatus } & Partial<Rollout>,
    session: ClientSession,
  ): Promise<boolean> {
    if (to.status && !canTransition(from, to.status)) throw new RolloutTransitionError(id, { from, to: to.status });
    const $set: Partial<RolloutDocument> = {};
    if (to.status) $set.status = to.status;
    if (to.error !== undefined) $set.error = to.error;
    if (to.startedAt) $set.started_at = to.startedAt;
    if (to.endedAt) $set.ended_at = to.endedAt;
    return this.#rollouts.updateOne(organisationId, { _id: id, status: from }, { $set }, { session });
  }

  /** The deployment went back from a version: its rollouts that succeeded were rolled back. */
  async markRolledBack(
    organisationId: string,
    { deploymentId, versionId }: Pick<Rollout, "deploymentId" | "versionId">,
    session: ClientSession,
  ): Promise<void> {
    const filter = { deployment_id: deploymentId, version_id: versionId, status: "Succeeded" as const };
    await this.#rollouts.updateEach(organisationId, [{ filter, update: { $set: { status: "RolledBack" } } }], {
      session,
    });
  }

  async deleteAll(organisationId: string, deploymentId: string, session: ClientSession): Promise<void> {
    await this.#rollouts.deleteMany(organisationId, { deployment_id: deploymentId }, { session });
  }
}

function toDocument(rollout: Rollout): RolloutDocument {
  const { status, error = null, startedAt = null, endedAt = null } = rollout;
  return {
    _id: rollout.id,
    organisation_id: rollout.organisationId,
    deployment_id: rollout.deploymentId,
    version_id: rollout.versionId,
    status,
    error,
    queued_at: rollout.queuedAt,
    started_at: startedAt,
    ended_at: endedAt,
  };
}

function toRollout(document: RolloutDocument): Rollout {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    deploymentId: document.deployment_id,
    versionId: document.version_id,
    status: document.status,
    error: document.error ?? undefined,
    queuedAt: document.queued_at,
    startedAt: document.started_at ?? undefined,
    endedAt: document.ended_at ?? undefined,
  };
}
