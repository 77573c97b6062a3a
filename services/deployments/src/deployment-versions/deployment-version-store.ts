import { ListDeploymentVersionsRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import {
  type DeploymentVersion,
  DeploymentVersionNotFoundError,
  type NamedDataset,
  type PinnedModel,
  type Runtime,
  type ServedVersion,
  type VersionFile,
} from "./deployment-version.ts";
import type { InstanceTokens } from "./instance-tokens.ts";
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
  sealed_token?: string;
  /** In clear: stored by an earlier version of the service, or for one. */
  token?: string;
  model_name: string;
  created_at: Date;
}

export interface VersionQuery extends ListPageRequest {
  deploymentId: string;
}

const collection = "deployment_versions";

const versionList = new ListQuery(ListDeploymentVersionsRequestSchema, {
  defaultSort: [["number", -1, "number"]],
  unique: ["number"],
});
const clearTokens = "clear_tokens";
const batch = 100;
/** Ids that are read at once. */
const idsAtOnce = 1_000;

export class DeploymentVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "number", key: { organisation_id: 1, deployment_id: 1, number: -1 }, unique: true },
      { name: "model_version", key: { organisation_id: 1, "models.modelVersionId": 1 } },
      { name: "file", key: { organisation_id: 1, "files.sha256": 1 } },
      { name: "dataset", key: { organisation_id: 1, "datasets.datasetId": 1 } },
      {
        name: clearTokens,
        key: { organisation_id: 1, created_at: 1 },
        partialFilterExpression: { token: { $exists: true } },
      },
    ],
  };

  readonly #versions: TenantCollection<VersionDocument>;
  readonly #all: Collection<VersionDocument>;
  readonly #indexNames: DocumentStore["indexNames"];
  readonly #tokens: InstanceTokens;

  constructor(store: DocumentStore, tokens: InstanceTokens) {
    this.#indexNames = store.indexNames;
    this.#versions = new TenantCollection(store, collection);
    this.#all = store.database.collection<VersionDocument>(collection);
    this.#tokens = tokens;
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

  /** With their tokens, for what starts and reaches their instances. @throws UnsealError */
  async findServed(organisationId: string, ids: readonly string[]): Promise<ServedVersion[]> {
    if (ids.length === 0) return [];
    const found = await this.#versions.find(organisationId, { _id: { $in: [...ids] } });
    return Promise.all(
      found.map(async (document) => ({ ...toVersion(document), token: await this.#tokenOf(document) })),
    );
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

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, { deploymentId, ...request }: VersionQuery): Promise<Page<DeploymentVersion>> {
    const source = { list: versionList, request, within: { deployment_id: deploymentId }, sizeOf: sizeOfVersion };
    const { items, nextCursor } = await findPage(this.#versions, organisationId, source);
    return { items: items.map(toVersion), nextCursor };
  }

  /** Ids of the versions that use a version of a model, a thousand at most, newest first. */
  async idsOfModelVersion(organisationId: string, modelVersionId: string): Promise<string[]> {
    const filter = { "models.modelVersionId": modelVersionId };
    const found = await this.#versions.find(organisationId, filter, { sort: { created_at: -1 }, limit: 1_000 });
    return found.map(({ _id }) => _id);
  }

  /** Ids of all versions that use one of the versions of models. */
  async idsOfModelVersions(organisationId: string, modelVersionIds: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    const options = { sort: { _id: 1 }, limit: idsAtOnce, only: ["number"] } as const;
    for (let last = "", isWhole = false; !isWhole; ) {
      const filter = { "models.modelVersionId": { $in: [...modelVersionIds] }, _id: { $gt: last } };
      const found = await this.#versions.find(organisationId, filter, options);
      ids.push(...found.map(({ _id }) => _id));
      isWhole = found.length < idsAtOnce;
      last = ids.at(-1) ?? last;
    }
    return ids;
  }

  /** The versions of models that each of the versions uses, by its id. */
  async modelVersionsOf(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const filter = { _id: { $in: [...ids] } };
    const found = await this.#versions.find(organisationId, filter, { only: ["models.modelVersionId"] });
    return new Map(found.map(({ _id, models }) => [_id, models.map(({ modelVersionId }) => modelVersionId)]));
  }

  /** Ids of the versions whose bundle names the dataset, a thousand at most, newest first. */
  async idsOfDataset(organisationId: string, datasetId: string): Promise<string[]> {
    const filter = { "datasets.datasetId": datasetId };
    const found = await this.#versions.find(organisationId, filter, { sort: { created_at: -1 }, limit: 1_000 });
    return found.map(({ _id }) => _id);
  }

  /** Those of the digests that a version has as a file. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const wanted = new Set(digests);
    const filter = { "files.sha256": { $in: [...digests] } };
    const found = await this.#versions.find(organisationId, filter, { only: ["files.sha256"] });
    const files = new Set(found.flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
    return [...files].filter((sha256) => wanted.has(sha256));
  }

  async insert(organisationId: string, version: ServedVersion, session: ClientSession): Promise<void> {
    const stored = await this.#tokens.toStore(version, version.token);
    await this.#versions.insert(organisationId, { ...toDocument(version), ...stored }, { session });
  }

  /** Seals some of the tokens that are stored in clear, of all organisations. Answers how many. */
  async sealClearTokens(): Promise<number> {
    const clear = this.#all.find({ token: { $exists: true } }, { projection: { organisation_id: 1, token: 1 } });
    const found = await translated(() =>
      clear.hint(this.#indexNames.of(collection, clearTokens)).limit(batch).toArray(),
    );
    for (const { _id, organisation_id: organisationId, token = "" } of found) {
      const sealed = await this.#tokens.seal({ organisationId, id: _id }, token);
      const update = { $set: { sealed_token: sealed }, $unset: { token: "" as const } };
      await this.#versions.updateOne(organisationId, { _id, token }, update);
    }
    return found.length;
  }

  async deleteAll(organisationId: string, deploymentId: string, session: ClientSession): Promise<void> {
    await this.#versions.deleteMany(organisationId, { deployment_id: deploymentId }, { session });
  }

  async #tokenOf({ _id: id, organisation_id: organisationId, sealed_token: sealed, token }: VersionDocument) {
    if (sealed !== undefined) return this.#tokens.open({ organisationId, id }, sealed);
    if (token !== undefined) return token;
    throw new Error(`the deployment version ${id} is stored without a token`);
  }
}

function sizeOfVersion({ bundle_text: bundleText }: VersionDocument): number {
  const besides = 500;
  return besides + (bundleText?.length ?? 0);
}

function toDocument(version: DeploymentVersion): VersionDocument {
  const { number, models, datasets, runtime, digest, files } = version;
  const { modelVersionId = null, bundleText = null, interface: schemas = null } = version;
  return {
    ...{ number, models, datasets, runtime, digest, files },
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
  const { number, models, datasets, runtime, digest, files } = document;
  return {
    ...{ number, models, datasets, runtime, digest, files },
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
