import { ListDeploymentsRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import {
  byCreation,
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { searchIndex } from "@aiplatform/search";
import { findLineage, type LineageMatches, type LineageSearch } from "@aiplatform/service-kit/lineage";
import { type Deployment, DeploymentNotFoundError, type DeploymentRef } from "./deployment.ts";
import {
  type DeploymentDocument,
  deploymentsCollection,
  toDeployment,
  toDeploymentDocument,
} from "./deployment-document.ts";

const deploymentList = new ListQuery(ListDeploymentsRequestSchema, { defaultSort: oldestFirst });

export class DeploymentStore {
  static readonly indexes: IndexPlan = {
    collection: deploymentsCollection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      { name: "service_name", key: { organisation_id: 1, service_name: 1 }, unique: true },
      searchIndex,
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

  /** @throws DeploymentNotFoundError */
  async get({ organisationId, deploymentId }: DeploymentRef, session?: ClientSession): Promise<Deployment> {
    const deployment = await this.find(organisationId, deploymentId, session);
    if (!deployment) throw new DeploymentNotFoundError(deploymentId);
    return deployment;
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Deployment>> {
    const source = { list: deploymentList, request, sizeOf: sizeOfDeployment };
    const { items, nextCursor } = await findPage(this.#deployments, organisationId, source);
    return { items: items.map(toDeployment), nextCursor };
  }

  /** Those that are not being deleted. */
  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#deployments.count(organisationId, { wish: { $in: ["serve", "stopped"] } }, { session });
  }

  /** Which of these service names are taken. */
  async takenAmong(organisationId: string, serviceNames: string[], session: ClientSession): Promise<Set<string>> {
    const filter = { service_name: { $in: serviceNames } };
    const found = await this.#deployments.find(organisationId, filter, { session });
    return new Set(found.map(({ service_name: name }) => name));
  }

  /** Ids of the deployments that serve one of the versions, or are to. */
  async idsServing(organisationId: string, versionIds: readonly string[]): Promise<string[]> {
    const found = await this.#deployments.find(organisationId, servesOneOf(versionIds), { sort: byCreation });
    return found.map(({ _id }) => _id);
  }

  /** What the lineage has of deployments: `sourceIds` are versions of deployments, which they serve or are to serve. */
  async lineage(search: LineageSearch): Promise<LineageMatches<DeploymentDocument>> {
    const { ids, sourceIds, knownIds } = search;
    return await findLineage(this.#deployments, search, {
      named: { _id: { $in: [...ids] } },
      derived: { ...servesOneOf(sourceIds), _id: { $nin: [...knownIds] } },
      only: ["name", "status", "current_version_id", "rollout.versionId", "canary.versionId"],
    });
  }

  async insert(organisationId: string, deployment: Deployment, session: ClientSession): Promise<void> {
    await this.#deployments.insert(organisationId, toDeploymentDocument(deployment), { session });
  }

  /** Compare-and-set: writes the deployment if its generation is unchanged; answers whether it was. */
  write(organisationId: string, deployment: Deployment, generation: number, session: ClientSession): Promise<boolean> {
    const { _id, organisation_id, ...fields } = toDeploymentDocument(deployment);
    return this.#deployments.updateOne(organisationId, { _id, generation }, { $set: fields }, { session });
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

function servesOneOf(versionIds: readonly string[]) {
  const among = { $in: [...versionIds] };
  return { $or: [{ current_version_id: among }, { "rollout.versionId": among }, { "canary.versionId": among }] };
}

function sizeOfDeployment({ description, annotations, run_config_text: runConfig }: DeploymentDocument): number {
  const besides = 2_000;
  return besides + description.length + annotations.length + (runConfig?.length ?? 0);
}
