import {
  byCreation,
  type ClientSession,
  createdAfter,
  type DocumentStore,
  type IndexPlan,
  type Page,
  pageOf,
  placeOf,
  TenantCollection,
  toRead,
} from "@aiplatform/document-store";
import type { Deployment } from "./deployment.ts";
import { type DeploymentDocument, toDeployment, toDeploymentDocument } from "./deployment-document.ts";

/** What must still hold for a change to be written. */
export interface DeploymentCondition {
  generation: number;
  /** Holder of the lease; looked at only when given. */
  holder?: string;
}

/** Name of the collection. */
export const deploymentsCollection = "deployments";

/** The deployments of the organisations. */
export class DeploymentStore {
  static readonly indexes: IndexPlan = {
    collection: deploymentsCollection,
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "service_name", key: { organisation_id: 1, service_name: 1 }, unique: true },
    ],
  };

  readonly #deployments: TenantCollection<DeploymentDocument>;

  constructor(store: DocumentStore) {
    this.#deployments = new TenantCollection(store, deploymentsCollection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Deployment | undefined> {
    const document = await this.#deployments.findOne(organisationId, { _id: id }, { session });
    return document && toDeployment(document);
  }

  /** By creation. Rejects with InvalidCursorError. */
  async list(organisationId: string, request: { limit: number; cursor: string }): Promise<Page<Deployment>> {
    const options = { sort: byCreation, limit: toRead(request) };
    const found = await this.#deployments.find(organisationId, createdAfter(placeOf(request.cursor)), options);
    return pageOf(found.map(toDeployment), request);
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#deployments.count(organisationId, {}, { session });
  }

  /** Which of these service names are taken. */
  async takenAmong(organisationId: string, serviceNames: string[], session: ClientSession): Promise<Set<string>> {
    const filter = { service_name: { $in: serviceNames } };
    const found = await this.#deployments.find(organisationId, filter, { session });
    return new Set(found.map(({ service_name: name }) => name));
  }

  /** Ids of the deployments that serve one of the versions, or are to. */
  async idsServing(organisationId: string, versionIds: readonly string[]): Promise<string[]> {
    const among = { $in: [...versionIds] };
    const filter = {
      $or: [{ current_version_id: among }, { "rollout.versionId": among }, { "canary.versionId": among }],
    };
    const found = await this.#deployments.find(organisationId, filter, { sort: byCreation });
    return found.map(({ _id }) => _id);
  }

  async insert(organisationId: string, deployment: Deployment, session: ClientSession): Promise<void> {
    await this.#deployments.insert(organisationId, toDeploymentDocument(deployment), { session });
  }

  /** Compare-and-set: writes all of the deployment where the condition still holds; answers whether it did. */
  replace(
    organisationId: string,
    deployment: Deployment,
    { generation, holder }: DeploymentCondition,
    session?: ClientSession,
  ): Promise<boolean> {
    const condition = { generation, ...(holder === undefined ? {} : { "lease.holder": holder }) };
    return this.#deployments.replaceIf(organisationId, toDeploymentDocument(deployment), condition, { session });
  }

  /** Asks for an instance where none runs. Answers whether the deployment is there. */
  requestWake(organisationId: string, id: string, time: Date): Promise<boolean> {
    return this.#deployments.updateOne(organisationId, { _id: id }, { $set: { wake_requested_at: time } });
  }

  /** Ends the links that other deployments have to one that goes. */
  async unlink(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#deployments.updateEach(
      organisationId,
      [
        { filter: { lower_env_deployment_id: id }, update: { $set: { lower_env_deployment_id: null } } },
        { filter: { higher_env_deployment_id: id }, update: { $set: { higher_env_deployment_id: null } } },
      ],
      { session },
    );
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#deployments.deleteOne(organisationId, { _id: id }, { session });
  }
}
