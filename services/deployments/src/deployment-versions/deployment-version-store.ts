import {
  type ClientSession,
  type DocumentStore,
  decodeCursor,
  encodeCursor,
  type IndexPlan,
  type Page,
  readBounded,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import {
  type DeploymentVersion,
  DeploymentVersionNotFoundError,
  type NamedDataset,
  type PinnedModel,
  type Runtime,
  type VersionFile,
} from "./deployment-version.ts";
import type { RunConfig } from "./run-config.ts";

interface VersionDocument extends TenantDocument {
  deployment_id: string;
  number: number;
  model_version_id: string | null;
  models: PinnedModel[];
  datasets: NamedDataset[];
  runtime: Runtime;
  digest: string;
  bundle_text: string | null;
  interface: { input: string; output: string } | null;
  files: VersionFile[];
  run_config: RunConfig;
  token: string;
  model_name: string;
  created_at: Date;
}

export interface VersionQuery {
  deploymentId: string;
  limit: number;
  cursor: string;
}

const collection = "deployment_versions";

export class DeploymentVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "number", key: { organisation_id: 1, deployment_id: 1, number: -1 }, unique: true },
      { name: "model_version", key: { organisation_id: 1, "models.modelVersionId": 1 } },
      { name: "dataset", key: { organisation_id: 1, "datasets.datasetId": 1 } },
    ],
  };

  readonly #versions: TenantCollection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#versions = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<DeploymentVersion | undefined> {
    const document = await this.#versions.findOne(organisationId, { _id: id }, { session });
    return document && toVersion(document);
  }

  /** @throws DeploymentVersionNotFoundError, for versions of other deployments too */
  async get(
    deployment: { organisationId: string; id: string },
    versionId: string,
    session: ClientSession,
  ): Promise<DeploymentVersion> {
    const version = await this.find(deployment.organisationId, versionId, session);
    if (version?.deploymentId !== deployment.id) throw new DeploymentVersionNotFoundError(versionId);
    return version;
  }

  async findAll(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<DeploymentVersion[]> {
    if (ids.length === 0) return [];
    const found = await this.#versions.find(organisationId, { _id: { $in: [...ids] } }, { session });
    return found.map(toVersion);
  }

  async newest(
    organisationId: string,
    deploymentId: string,
    session: ClientSession,
  ): Promise<DeploymentVersion | undefined> {
    const options = { session, sort: { number: -1 as const } };
    const document = await this.#versions.findOne(organisationId, { deployment_id: deploymentId }, options);
    return document && toVersion(document);
  }

  /** Newest first; a page of large ones holds fewer than asked for. @throws InvalidCursorError */
  async list(organisationId: string, { deploymentId, ...request }: VersionQuery): Promise<Page<DeploymentVersion>> {
    const filter = { deployment_id: deploymentId, ...below(request.cursor) };
    const found = this.#versions.each(organisationId, filter, { sort: { number: -1 } });
    const { items, isLast } = await readBounded(found, { limit: request.limit, sizeOf: sizeOfVersion });
    const last = items.at(-1);
    return { items: items.map(toVersion), nextCursor: last && !isLast ? encodeCursor([last.number]) : "" };
  }

  /** Ids of the versions that use a version of a model, a thousand at most, newest first. */
  async idsOfModelVersion(organisationId: string, modelVersionId: string): Promise<string[]> {
    const filter = { "models.modelVersionId": modelVersionId };
    const found = await this.#versions.find(organisationId, filter, { sort: { created_at: -1 }, limit: 1_000 });
    return found.map(({ _id }) => _id);
  }

  /** Ids of the versions whose bundle names the dataset, a thousand at most, newest first. */
  async idsOfDataset(organisationId: string, datasetId: string): Promise<string[]> {
    const filter = { "datasets.datasetId": datasetId };
    const found = await this.#versions.find(organisationId, filter, { sort: { created_at: -1 }, limit: 1_000 });
    return found.map(({ _id }) => _id);
  }

  async insert(organisationId: string, version: DeploymentVersion, session: ClientSession): Promise<void> {
    await this.#versions.insert(organisationId, toDocument(version), { session });
  }

  async deleteAll(organisationId: string, deploymentId: string, session: ClientSession): Promise<void> {
    await this.#versions.deleteMany(organisationId, { deployment_id: deploymentId }, { session });
  }
}

function below(cursor: string) {
  if (cursor === "") return {};
  const [number] = decodeCursor(cursor, ["number"]);
  return { number: { $lt: number } };
}

function sizeOfVersion({ bundle_text: bundleText }: VersionDocument): number {
  const besides = 500;
  return besides + (bundleText?.length ?? 0);
}

function toDocument(version: DeploymentVersion): VersionDocument {
  const { number, models, datasets, runtime, digest, files, token } = version;
  const { modelVersionId = null, bundleText = null, interface: schemas = null } = version;
  return {
    ...{ number, models, datasets, runtime, digest, files, token },
    _id: version.id,
    organisation_id: version.organisationId,
    deployment_id: version.deploymentId,
    model_version_id: modelVersionId,
    bundle_text: bundleText,
    interface: schemas,
    run_config: version.runConfig,
    model_name: version.modelName,
    created_at: version.createdAt,
  };
}

function toVersion(document: VersionDocument): DeploymentVersion {
  const { number, models, datasets, runtime, digest, files, token } = document;
  return {
    ...{ number, models, datasets, runtime, digest, files, token },
    id: document._id,
    organisationId: document.organisation_id,
    deploymentId: document.deployment_id,
    modelVersionId: document.model_version_id ?? undefined,
    bundleText: document.bundle_text ?? undefined,
    interface: document.interface ?? undefined,
    runConfig: document.run_config,
    modelName: document.model_name,
    createdAt: document.created_at,
  };
}
