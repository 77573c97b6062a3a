import { ListModelVersionsRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import {
  type ClientSession,
  type DocumentStore,
  type HeldLease,
  type IndexPlan,
  Leases,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import {
  findLineage,
  type LineageMatches,
  type LineageSearch,
  refsTo,
  type Thing,
} from "@aiplatform/service-kit/lineage";
import type { ModelVersion, ModelVersionStatus, PendingVersion, Resolution } from "./model-version.ts";

interface VersionDocument extends TenantDocument {
  model_id: string;
  number: number;
  status: ModelVersionStatus;
  status_detail: string | null;
  format: string;
  artifact_sha256: string;
  size_bytes: number;
  source?: { pipeline_id: string; run_id: string; job_name: string; checkpoint_id: string | null };
  /** `not_before`: when it is due; while it has a holder, the end of the lease. `attempts`: those that failed. */
  ingestion?: { uri: string; attempts: number; not_before: Date; holder?: string | null };
  created_at: Date;
}

const collection = "model_versions";

const versionList = new ListQuery(ListModelVersionsRequestSchema, {
  defaultSort: [["number", -1, "number"]],
  unique: ["number"],
});
const thingFields = ["model_id", "number", "status", "source.run_id"];
const newestFirst = { sort: { number: -1 as const } };

export class ModelVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "number", key: { organisation_id: 1, model_id: 1, number: -1 }, unique: true },
      // A run's job makes one version, however often its event comes.
      {
        name: "job",
        key: { organisation_id: 1, "source.run_id": 1, "source.job_name": 1 },
        unique: true,
        partialFilterExpression: { source: { $exists: true } },
      },
      {
        name: "run",
        key: { organisation_id: 1, "source.run_id": 1, created_at: 1, _id: 1 },
        partialFilterExpression: { "source.run_id": { $exists: true } },
      },
      {
        name: "pipeline",
        key: { organisation_id: 1, "source.pipeline_id": 1, created_at: 1, _id: 1 },
        partialFilterExpression: { "source.pipeline_id": { $exists: true } },
      },
      { name: "artifact", key: { organisation_id: 1, artifact_sha256: 1 } },
      { name: "digest", key: { organisation_id: 1, model_id: 1, artifact_sha256: 1 } },
      {
        name: "claims",
        key: { organisation_id: 1, "ingestion.not_before": 1 },
        partialFilterExpression: { status: "pending" },
      },
    ],
  };

  /** Who fetches the artifact of which pending version. */
  readonly leases: Leases<VersionDocument, PendingVersion>;
  readonly #versions: TenantCollection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#versions = new TenantCollection(store, collection);
    const fields = {
      holder: "ingestion.holder",
      expiresAt: "ingestion.not_before",
      failures: "ingestion.attempts",
    };
    this.leases = new Leases(store, { collection, fields, wanted: { status: "pending" }, read: toPendingVersion });
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<ModelVersion | undefined> {
    const document = await this.#versions.findOne(organisationId, { _id: id }, { session });
    return document && toVersion(document);
  }

  /** The version that a run's job has made. */
  async ofJob(
    organisationId: string,
    { runId, jobName }: { runId: string; jobName: string },
    session?: ClientSession,
  ): Promise<ModelVersion | undefined> {
    const filter = { "source.run_id": runId, "source.job_name": jobName };
    const document = await this.#versions.findOne(organisationId, filter, { session });
    return document && toVersion(document);
  }

  /** The newest ready version of a model with these bytes. */
  async readyWith(
    organisationId: string,
    { modelId, format, artifactSha256 }: Pick<ModelVersion, "modelId" | "format" | "artifactSha256">,
    session: ClientSession,
  ): Promise<ModelVersion | undefined> {
    const filter = { model_id: modelId, artifact_sha256: artifactSha256, format, status: "ready" as const };
    const document = await this.#versions.findOne(organisationId, filter, { ...newestFirst, session });
    return document && toVersion(document);
  }

  /** The newest version of a model that can be deployed. */
  async newestReady(
    organisationId: string,
    modelId: string,
    session?: ClientSession,
  ): Promise<ModelVersion | undefined> {
    const filter = { model_id: modelId, status: "ready" as const };
    const document = await this.#versions.findOne(organisationId, filter, { ...newestFirst, session });
    return document && toVersion(document);
  }

  /** Those of the digests that a version has, or will have once it is fetched. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const filter = { artifact_sha256: { $in: [...digests] } };
    const found = await this.#versions.find(organisationId, filter, { only: ["artifact_sha256"] });
    return [...new Set(found.map(({ artifact_sha256 }) => artifact_sha256))];
  }

  /** What the lineage has of versions, without the names of their models. */
  async lineage(search: LineageSearch): Promise<LineageMatches<Thing>> {
    const { ids, sourceIds, knownIds } = search;
    const derived = { "source.run_id": { $in: [...sourceIds] }, _id: { $nin: [...knownIds] } };
    const filters = { named: { _id: { $in: [...ids] } }, derived, only: thingFields };
    const { things, total } = await findLineage(this.#versions, search, filters);
    return { things: things.map(toThing), total };
  }

  /** The first versions that were made of runs of a pipeline, without the names of their models. */
  async ofPipeline(organisationId: string, pipelineId: string, limit: number): Promise<LineageMatches<Thing>> {
    const filters = { named: {}, derived: { "source.pipeline_id": pipelineId }, only: thingFields };
    const search = { organisationId, ids: [], sourceIds: [pipelineId], knownIds: [], limit };
    const { things, total } = await findLineage(this.#versions, search, filters);
    return { things: things.map(toThing), total };
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    { modelId, ...request }: ListPageRequest & { modelId: string },
  ): Promise<Page<ModelVersion>> {
    const source = { list: versionList, request, within: { model_id: modelId } };
    const { items, nextCursor } = await findPage(this.#versions, organisationId, source);
    return { items: items.map(toVersion), nextCursor };
  }

  async insert(organisationId: string, version: ModelVersion | PendingVersion, session: ClientSession): Promise<void> {
    await this.#versions.insert(organisationId, toDocument(version), { session });
  }

  /** Compare-and-set: a version that has failed is pending again. Answers whether it had failed. */
  async retry(organisationId: string, { id, artifactSha256 }: ModelVersion, now: Date): Promise<boolean> {
    const failed = { _id: id, status: "failed" as const };
    const pending = { status: "pending" as const, status_detail: null };
    const due = { "ingestion.attempts": 0, "ingestion.not_before": now, "ingestion.holder": null };
    const kept = { ...failed, "ingestion.uri": { $exists: true } };
    if (await this.#versions.updateOne(organisationId, kept, { $set: { ...pending, ...due } })) return true;
    // Kept by an earlier release, without its address: what was uploaded since is found by its digest.
    const ingestion = { uri: `artifact:sha256:${artifactSha256}`, attempts: 0, not_before: now };
    return await this.#versions.updateOne(organisationId, failed, { $set: { ...pending, ingestion } });
  }

  /** Resolves a pending version under its lease. Answers whether the holder still had it. */
  resolve({ organisationId, id, holder }: HeldLease, resolution: Resolution, session: ClientSession): Promise<boolean> {
    const isReady = resolution.status === "ready";
    const $set = {
      status: resolution.status,
      status_detail: isReady ? null : resolution.statusDetail,
      size_bytes: isReady ? resolution.sizeBytes : 0,
    };
    // A failed one keeps where its artifact lies, to be tried again.
    const update = isReady
      ? { $set, $unset: { ingestion: "" as const } }
      : { $set: { ...$set, "ingestion.holder": null } };
    const filter = { _id: id, status: "pending" as const, ...this.leases.fence(holder) };
    return this.#versions.updateOne(organisationId, filter, update, { session });
  }
}

function toThing({ _id: id, model_id: parentId, number, status: state, source }: VersionDocument): Thing {
  return { kind: "model_version", id, parentId, number, state, sources: refsTo("run", source ? [source.run_id] : []) };
}

function toDocument(version: ModelVersion | PendingVersion): VersionDocument {
  const { source } = version;
  return {
    _id: version.id,
    organisation_id: version.organisationId,
    model_id: version.modelId,
    number: version.number,
    status: version.status,
    status_detail: version.statusDetail ?? null,
    format: version.format,
    artifact_sha256: version.artifactSha256,
    size_bytes: version.sizeBytes,
    ...(source && { source: fromSource(source) }),
    ...("uri" in version && { ingestion: { uri: version.uri, attempts: 0, not_before: version.createdAt } }),
    created_at: version.createdAt,
  };
}

function fromSource({ pipelineId, runId, jobName, checkpointId }: NonNullable<ModelVersion["source"]>) {
  return { pipeline_id: pipelineId, run_id: runId, job_name: jobName, checkpoint_id: checkpointId ?? null };
}

function toPendingVersion(document: VersionDocument): PendingVersion {
  return { ...toVersion(document), uri: document.ingestion?.uri ?? "" };
}

function toVersion({ source, ...document }: VersionDocument): ModelVersion {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    modelId: document.model_id,
    number: document.number,
    status: document.status,
    statusDetail: document.status_detail ?? undefined,
    format: document.format,
    artifactSha256: document.artifact_sha256,
    sizeBytes: document.size_bytes,
    source: source && {
      pipelineId: source.pipeline_id,
      runId: source.run_id,
      jobName: source.job_name,
      checkpointId: source.checkpoint_id ?? undefined,
    },
    createdAt: document.created_at,
  };
}
