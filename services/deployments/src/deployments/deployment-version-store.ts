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
import type { DeploymentVersion, NamedDataset, PinnedModel, Runtime, VersionFile } from "./deployment-version.ts";
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

/** Which part of a deployment's versions. */
export interface VersionQuery {
  deploymentId: string;
  limit: number;
  cursor: string;
}

const collection = "deployment_versions";

/** The versions of the deployments. */
export class DeploymentVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "number", key: { organisation_id: 1, deployment_id: 1, number: -1 }, unique: true },
      { name: "model_version", key: { organisation_id: 1, "models.modelVersionId": 1 } },
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

  async findAll(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<DeploymentVersion[]> {
    if (ids.length === 0) return [];
    const found = await this.#versions.find(organisationId, { _id: { $in: [...ids] } }, { session });
    return found.map(toVersion);
  }

  /** The newest version of a deployment. */
  async newest(
    organisationId: string,
    deploymentId: string,
    session: ClientSession,
  ): Promise<DeploymentVersion | undefined> {
    const options = { session, sort: { number: -1 as const } };
    const document = await this.#versions.findOne(organisationId, { deployment_id: deploymentId }, options);
    return document && toVersion(document);
  }

  /** Newest first; a page of large ones holds fewer than asked for. Rejects with InvalidCursorError. */
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
  return {
    _id: version.id,
    organisation_id: version.organisationId,
    deployment_id: version.deploymentId,
    number: version.number,
    model_version_id: version.modelVersionId ?? null,
    models: version.models,
    datasets: version.datasets,
    runtime: version.runtime,
    digest: version.digest,
    bundle_text: version.bundleText ?? null,
    interface: version.interface ?? null,
    files: version.files,
    run_config: version.runConfig,
    token: version.token,
    model_name: version.modelName,
    created_at: version.createdAt,
  };
}

function toVersion(document: VersionDocument): DeploymentVersion {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    deploymentId: document.deployment_id,
    number: document.number,
    modelVersionId: document.model_version_id ?? undefined,
    models: document.models,
    datasets: document.datasets,
    runtime: document.runtime,
    digest: document.digest,
    bundleText: document.bundle_text ?? undefined,
    interface: document.interface ?? undefined,
    files: document.files,
    runConfig: document.run_config,
    token: document.token,
    modelName: document.model_name,
    createdAt: document.created_at,
  };
}
