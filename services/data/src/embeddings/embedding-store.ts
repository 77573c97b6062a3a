import { ListDatasetEmbeddingsRequestSchema } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import {
  type ClientSession,
  type DocumentStore,
  type HeldLease,
  type IndexPlan,
  Leases,
  type Page,
  TenantCollection,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { findLineage, type LineageMatches, type LineageSearch, type Thing } from "@aiplatform/service-kit/lineage";
import type { DatasetRef, VersionRef } from "../dataset-versions/dataset-version.ts";
import {
  type Embedding,
  EmbeddingNotFoundError,
  type EmbeddingProblem,
  type EmbeddingRef,
  type SearchData,
  type VectorData,
} from "./embedding.ts";
import {
  type EmbeddingDocument,
  recipeKeyOf,
  toDocument,
  toEmbedding,
  toSearchDocument,
  toThing,
} from "./embedding-document.ts";
import { openStates, referringStates, statesBefore } from "./embedding-state.ts";

/** What becomes of an embedding that was worked on. */
export type EmbeddingOutcome =
  | { state: "ready"; data: VectorData; search: SearchData }
  | { state: "failed"; problem: EmbeddingProblem };

/** How far an embedding is once a batch has its vectors. */
export type EmbeddingProgress = Pick<Embedding, "embeddedRows" | "reusedRows" | "dimensions" | "deploymentVersionId">;

interface Write {
  now: Date;
  session: ClientSession;
}

const collection = "dataset_embeddings";
const embeddingList = new ListQuery(ListDatasetEmbeddingsRequestSchema, {
  defaultSort: [["created_at", -1, "date"]],
  unique: [],
});

/** The embeddings of versions. */
export class EmbeddingStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, dataset_id: 1, version_id: 1, created_at: -1, _id: -1 } },
      {
        name: "by_state",
        key: { organisation_id: 1, dataset_id: 1, version_id: 1, state: 1, created_at: -1, _id: -1 },
      },
      { name: "newest", key: { organisation_id: 1, dataset_id: 1, state: 1, created_at: -1, _id: -1 } },
      { name: "state", key: { organisation_id: 1, state: 1 } },
      { name: "version", key: { organisation_id: 1, version_id: 1, created_at: 1, _id: 1 } },
      { name: "data", key: { organisation_id: 1, "data.sha256": 1 } },
      { name: "search", key: { organisation_id: 1, "search.sha256": 1 } },
      {
        name: "claims",
        key: { organisation_id: 1, "task.not_before": 1 },
        partialFilterExpression: { "task.attempts": { $exists: true } },
      },
    ],
  };

  /** Who works on which embedding. */
  readonly leases: Leases<EmbeddingDocument, Embedding>;
  readonly #embeddings: TenantCollection<EmbeddingDocument>;

  constructor(store: DocumentStore) {
    this.#embeddings = new TenantCollection(store, collection);
    const fields = { holder: "task.holder", expiresAt: "task.not_before", failures: "task.attempts" };
    const wanted = { "task.attempts": { $exists: true } };
    this.leases = new Leases(store, { collection, fields, wanted, read: toEmbedding });
  }

  /** @throws EmbeddingNotFoundError */
  async get(ref: EmbeddingRef, session?: ClientSession): Promise<Embedding> {
    const filter = { _id: ref.embeddingId, dataset_id: ref.datasetId, version_id: ref.versionId };
    const found = await this.#embeddings.findOne(ref.organisationId, filter, { session });
    if (!found) throw new EmbeddingNotFoundError(ref.embeddingId);
    return toEmbedding(found);
  }

  /** One of the dataset. @throws EmbeddingNotFoundError */
  async ofDataset(dataset: DatasetRef, embeddingId: string): Promise<Embedding> {
    const found = await this.find(dataset, embeddingId);
    if (!found) throw new EmbeddingNotFoundError(embeddingId);
    return found;
  }

  /** One of the dataset, if it is there. */
  async find({ organisationId, datasetId }: DatasetRef, embeddingId: string): Promise<Embedding | undefined> {
    const found = await this.#embeddings.findOne(organisationId, { _id: embeddingId, dataset_id: datasetId });
    return found && toEmbedding(found);
  }

  /** The newest of the dataset that is ready; of `like`: with the same recipe. */
  async newestReady({ organisationId, datasetId }: DatasetRef, like?: Embedding): Promise<Embedding | undefined> {
    const same = like && { recipe_key: recipeKeyOf(like.recipe) };
    const filter = { dataset_id: datasetId, state: "ready" as const, ...same };
    const sort = { created_at: -1, _id: -1 } as const;
    const found = await this.#embeddings.findOne(organisationId, filter, { sort });
    return found && toEmbedding(found);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list({ organisationId, datasetId, versionId }: VersionRef, request: ListPageRequest): Promise<Page<Embedding>> {
    const source = { list: embeddingList, request, within: { dataset_id: datasetId, version_id: versionId } };
    const { items, nextCursor } = await findPage(this.#embeddings, organisationId, source);
    return { items: items.map(toEmbedding), nextCursor };
  }

  /** What the lineage has of embeddings, whatever their dataset. */
  async lineage(search: LineageSearch): Promise<LineageMatches<Thing>> {
    const { ids, sourceIds, knownIds } = search;
    const { things, total } = await findLineage(this.#embeddings, search, {
      named: { _id: { $in: [...ids] } },
      derived: { version_id: { $in: [...sourceIds] }, _id: { $nin: [...knownIds] } },
      only: ["dataset_id", "version_id", "state"],
    });
    return { things: things.map(toThing), total };
  }

  /** Those of the digests that embeddings refer to. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const among = { $in: [...digests] };
    const either = { $or: [{ "data.sha256": among }, { "search.sha256": among }] };
    const filter = { ...either, state: { $in: [...referringStates] } };
    const found = await this.#embeddings.find(organisationId, filter, { only: ["data.sha256", "search.sha256"] });
    return [...new Set(found.flatMap(digestsIn))].filter((digest) => digests.includes(digest));
  }

  /** Bytes of the vectors of all that are ready, and of what searches read. */
  async bytes(organisationId: string, session?: ClientSession): Promise<number> {
    const sizeOf = (field: string) => this.#embeddings.sum(organisationId, { state: "ready" }, field, { session });
    return (await sizeOf("$data.size_bytes")) + (await sizeOf("$search.size_bytes"));
  }

  /** How many of the version are under way or ready, and how many of the organisation are under way. */
  async counts({ organisationId, datasetId, versionId }: VersionRef, session: ClientSession) {
    const underWay = { state: { $in: [...openStates] } };
    const kept = { dataset_id: datasetId, version_id: versionId, state: { $in: [...openStates, "ready" as const] } };
    return {
      ofVersion: await this.#embeddings.count(organisationId, kept, { session }),
      underWay: await this.#embeddings.count(organisationId, underWay, { session }),
    };
  }

  async insert(embedding: Embedding, session: ClientSession): Promise<void> {
    await this.#embeddings.insert(embedding.organisationId, toDocument(embedding), { session });
  }

  /** Notes under the lease that rows are sent, and whose vectors are used again. Answers whether the holder still had it. */
  begin({ organisationId, id, holder }: HeldLease, earlier: Embedding | undefined, now: Date): Promise<boolean> {
    const filter = { _id: id, state: { $in: statesBefore("embedding") }, ...this.leases.fence(holder) };
    const used = earlier && {
      earlier_id: earlier.id,
      deployment_version_id: earlier.deploymentVersionId ?? null,
      dimensions: earlier.dimensions ?? null,
    };
    return this.#embeddings.updateOne(organisationId, filter, {
      $set: { state: "embedding", updated_at: now, ...used },
    });
  }

  /** Moves the cursor from `from`. Answers whether the holder still had the lease, and the cursor was there. */
  advance(
    { organisationId, id, holder }: HeldLease,
    { from, ...reached }: EmbeddingProgress & { from: number },
    { now, session }: Write,
  ): Promise<boolean> {
    const filter = { _id: id, state: "embedding" as const, embedded_rows: from, ...this.leases.fence(holder) };
    const $set = {
      embedded_rows: reached.embeddedRows,
      reused_rows: reached.reusedRows,
      dimensions: reached.dimensions ?? null,
      deployment_version_id: reached.deploymentVersionId ?? null,
      sending_rows: 0,
      updated_at: now,
      "task.stops": 0,
    };
    return this.#embeddings.updateOne(organisationId, filter, { $set }, { session });
  }

  /** Notes that rows are sent to an endpoint next. Answers whether the holder still had the lease. */
  noteSending({ organisationId, id, holder }: HeldLease, rows: number): Promise<boolean> {
    const filter = { _id: id, state: "embedding" as const, ...this.leases.fence(holder) };
    return this.#embeddings.updateOne(organisationId, filter, { $set: { sending_rows: rows } });
  }

  /** Those of a dataset, or of one version, that are under way and send rows to an endpoint. */
  async exportsUnderWay(
    { organisationId, datasetId, versionId }: DatasetRef & { versionId?: string },
    session: ClientSession,
  ): Promise<Embedding[]> {
    const ofVersion = versionId === undefined ? {} : { version_id: versionId };
    const filter = { dataset_id: datasetId, ...ofVersion, state: { $in: [...openStates] } };
    const found = await this.#embeddings.find(organisationId, filter, { session });
    return found.map(toEmbedding).filter(({ recipe }) => recipe.maker.kind === "endpoint");
  }

  /** Begins at the first row again, without vectors of an earlier embedding. Answers whether the holder still had the lease. */
  startOver({ organisationId, id, holder }: HeldLease, { now, session }: Write): Promise<boolean> {
    const filter = { _id: id, state: "embedding" as const, ...this.leases.fence(holder) };
    const rows = { embedded_rows: 0, reused_rows: 0 };
    const made = { earlier_id: null, deployment_version_id: null, dimensions: null };
    return this.#embeddings.updateOne(
      organisationId,
      filter,
      { $set: { ...rows, ...made, updated_at: now } },
      { session },
    );
  }

  /** Counts that a process has stopped or the model has failed. Answers how often since the last batch. */
  async noteStop({ organisationId, id, holder }: HeldLease): Promise<number> {
    const one = { _id: id, ...this.leases.fence(holder) };
    await this.#embeddings.updateOne(organisationId, one, { $inc: { "task.stops": 1 } });
    return (await this.#embeddings.findOne(organisationId, one))?.task?.stops ?? 0;
  }

  /** Ends the work under its lease. Answers whether the holder still had it. */
  end({ organisationId, id, holder }: HeldLease, outcome: EmbeddingOutcome, { now, session }: Write): Promise<boolean> {
    const filter = { _id: id, state: { $in: statesBefore(outcome.state) }, ...this.leases.fence(holder) };
    const result =
      outcome.state === "ready"
        ? {
            data: { sha256: outcome.data.sha256, size_bytes: outcome.data.sizeBytes },
            search: toSearchDocument(outcome.search),
          }
        : { problem: outcome.problem };
    const $set = { state: outcome.state, updated_at: now, ...result };
    return this.#embeddings.updateOne(organisationId, filter, { $set, $unset: { task: "" as const } }, { session });
  }

  /** Ends it before it is ready. Answers whether it was under way. */
  cancel({ organisationId, embeddingId }: EmbeddingRef, { now, session }: Write): Promise<boolean> {
    const filter = { _id: embeddingId, state: { $in: statesBefore("cancelled") } };
    const $set = { state: "cancelled" as const, updated_at: now };
    return this.#embeddings.updateOne(organisationId, filter, { $set, $unset: { task: "" as const } }, { session });
  }

  /** From now on the embeddings of the version refer to nothing, and nothing is done for them. */
  async beginPurging({ organisationId, datasetId, versionId }: VersionRef, { now, session }: Write): Promise<void> {
    const filter = { dataset_id: datasetId, version_id: versionId, state: { $in: statesBefore("purging") } };
    const update = { $set: { state: "purging" as const, updated_at: now }, $unset: { task: "" as const } };
    await this.#embeddings.updateEach(organisationId, [{ filter, update }], { session });
  }

  /** Digests of all that is kept of the embeddings of a version. */
  async digestsOf({ organisationId, datasetId, versionId }: VersionRef): Promise<string[]> {
    const found = await this.#embeddings.find(organisationId, { dataset_id: datasetId, version_id: versionId });
    return found.flatMap(digestsIn);
  }

  /** Forgets the embeddings of a version whose vectors are removed. */
  async removePurged({ organisationId, datasetId, versionId }: VersionRef): Promise<void> {
    const filter = { dataset_id: datasetId, version_id: versionId, state: "purging" as const };
    await this.#embeddings.deleteMany(organisationId, filter);
  }

  async removeDataset({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<void> {
    await this.#embeddings.deleteMany(organisationId, { dataset_id: datasetId }, { session });
  }
}

const digestsIn = ({ data, search }: EmbeddingDocument) =>
  [data, search].flatMap((each) => (each ? [each.sha256] : []));
