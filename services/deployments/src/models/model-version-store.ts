import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  decodeCursor,
  type IndexPlan,
  type Page,
  pageBy,
  TenantCollection,
  type TenantDocument,
  toRead,
  translated,
} from "@aiplatform/document-store";
import type { Ingestion, ModelVersion, ModelVersionStatus, PendingVersion, Resolution } from "./model-version.ts";

interface VersionDocument extends TenantDocument {
  model_id: string;
  number: number;
  status: ModelVersionStatus;
  status_detail: string | null;
  format: string;
  artifact_sha256: string;
  size_bytes: number;
  source?: { pipeline_id: string; run_id: string; job_name: string; checkpoint_id: string | null };
  ingestion?: { uri: string; attempts: number; not_before: Date };
  created_at: Date;
}

const collection = "model_versions";
const newestFirst = { sort: { number: -1 as const } };

export class ModelVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "number", key: { organisation_id: 1, model_id: 1, number: -1 }, unique: true },
      // A run's job makes one version, however often its event comes.
      {
        name: "job",
        key: { organisation_id: 1, "source.run_id": 1, "source.job_name": 1 },
        unique: true,
        partialFilterExpression: { source: { $exists: true } },
      },
      { name: "digest", key: { organisation_id: 1, model_id: 1, artifact_sha256: 1 } },
      { name: "pending", key: { "ingestion.not_before": 1 }, partialFilterExpression: { status: "pending" } },
    ],
  };

  readonly #versions: TenantCollection<VersionDocument>;
  readonly #everywhere: Collection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#versions = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<VersionDocument>(collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<ModelVersion | undefined> {
    const document = await this.#versions.findOne(organisationId, { _id: id }, { session });
    return document && toVersion(document);
  }

  /** The version that a run's job has made. */
  async ofJob(
    organisationId: string,
    { runId, jobName }: { runId: string; jobName: string },
    session: ClientSession,
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

  /** Newest first. @throws InvalidCursorError */
  async list(
    organisationId: string,
    { modelId, ...request }: { modelId: string; limit: number; cursor: string },
  ): Promise<Page<ModelVersion>> {
    const filter = { model_id: modelId, ...below(request.cursor) };
    const found = await this.#versions.find(organisationId, filter, { ...newestFirst, limit: toRead(request) });
    return pageBy(found.map(toVersion), request, ({ number }) => [number]);
  }

  async insert(organisationId: string, version: ModelVersion | PendingVersion, session: ClientSession): Promise<void> {
    await this.#versions.insert(organisationId, toDocument(version), { session });
  }

  /** Pending versions that no process is fetching, of all organisations. */
  async due(now: Date, limit: number): Promise<PendingVersion[]> {
    const filter = { status: "pending" as const, "ingestion.not_before": { $lte: now } };
    const documents = await translated(() => this.#everywhere.find(filter).limit(limit).toArray());
    return documents.flatMap((document) => {
      const { ingestion } = document;
      return ingestion ? [{ ...toVersion(document), ingestion: toIngestion(ingestion) }] : [];
    });
  }

  /**
   * Compare-and-set: keeps other processes from fetching until `notBefore`, and stores the number of attempts. Answers
   * whether no other process was faster.
   */
  postpone(
    { organisationId, id, ingestion }: PendingVersion,
    { notBefore, attempts }: Pick<Ingestion, "notBefore" | "attempts">,
  ): Promise<boolean> {
    const filter = { _id: id, status: "pending" as const, "ingestion.not_before": ingestion.notBefore };
    const update = { $set: { "ingestion.not_before": notBefore, "ingestion.attempts": attempts } };
    return this.#versions.updateOne(organisationId, filter, update);
  }

  /** Compare-and-set: a version that has failed is pending again. Answers whether it had failed. */
  async retry(organisationId: string, { id, artifactSha256 }: ModelVersion, now: Date): Promise<boolean> {
    const failed = { _id: id, status: "failed" as const };
    const pending = { status: "pending" as const, status_detail: null };
    const again = { ...pending, "ingestion.attempts": 0, "ingestion.not_before": now };
    const kept = { ...failed, "ingestion.uri": { $exists: true } };
    if (await this.#versions.updateOne(organisationId, kept, { $set: again })) return true;
    // Kept by an earlier release, without its address: what was uploaded since is found by its digest.
    const ingestion = fromIngestion({ uri: `artifact:sha256:${artifactSha256}`, attempts: 0, notBefore: now });
    return await this.#versions.updateOne(organisationId, failed, { $set: { ...pending, ingestion } });
  }

  /** Compare-and-set: a version is resolved once. Answers whether it was pending. */
  resolve(organisationId: string, id: string, resolution: Resolution, session: ClientSession): Promise<boolean> {
    const isReady = resolution.status === "ready";
    const $set = {
      status: resolution.status,
      status_detail: isReady ? null : resolution.statusDetail,
      size_bytes: isReady ? resolution.sizeBytes : 0,
    };
    // A failed one keeps where its artifact lies, to be tried again.
    const update = isReady ? { $set, $unset: { ingestion: "" as const } } : { $set };
    return this.#versions.updateOne(organisationId, { _id: id, status: "pending" as const }, update, { session });
  }
}

function below(cursor: string) {
  if (cursor === "") return {};
  const [number] = decodeCursor(cursor, ["number"]);
  return { number: { $lt: number } };
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
    ...("ingestion" in version && { ingestion: fromIngestion(version.ingestion) }),
    created_at: version.createdAt,
  };
}

function fromSource({ pipelineId, runId, jobName, checkpointId }: NonNullable<ModelVersion["source"]>) {
  return { pipeline_id: pipelineId, run_id: runId, job_name: jobName, checkpoint_id: checkpointId ?? null };
}

function fromIngestion({ uri, attempts, notBefore }: Ingestion) {
  return { uri, attempts, not_before: notBefore };
}

function toIngestion({ uri, attempts, not_before }: NonNullable<VersionDocument["ingestion"]>): Ingestion {
  return { uri, attempts, notBefore: not_before };
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
