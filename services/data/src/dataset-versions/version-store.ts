import { ListDatasetVersionsRequestSchema } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
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
import {
  findLineage,
  type LineageMatches,
  type LineageSearch,
  type Thing,
  type Uses,
} from "@aiplatform/service-kit/lineage";
import {
  type DatasetRef,
  type DatasetVersion,
  DatasetVersionNotFoundError,
  type VersionData,
  type VersionFile,
  type VersionProblem,
  type VersionRef,
} from "./dataset-version.ts";
import { toUsesDocument } from "./uses-document.ts";
import {
  contentDigestOf,
  sizeOfVersion,
  toData,
  toDataDocument,
  toDocument,
  toProblemDocument,
  toThing,
  toVersion,
  type VersionDocument,
} from "./version-document.ts";
import { referringStates, statesBefore } from "./version-state.ts";

/** What becomes of a version that was read. */
export type ReadOutcome = { state: "ready"; data: VersionData } | { state: "failed"; problem: VersionProblem };

/** A step of a purge. */
interface Purging {
  now: Date;
  /** What has used the data; undefined: it stays as it is known. */
  uses: Uses | undefined;
}

const collection = "dataset_versions";
/** What is kept only until a version is read, and only until it is purged. */
const onlyWhileRead = { bytes_read: "", "predecessor.filter": "" } as const;
const untilPurged = { ...onlyWhileRead, "query.sql": "" } as const;
const versionList = new ListQuery(ListDatasetVersionsRequestSchema, {
  defaultSort: [["number", -1, "number"]],
  unique: ["number"],
});

/** The versions of datasets. */
export class DatasetVersionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "number", key: { organisation_id: 1, dataset_id: 1, number: -1 }, unique: true },
      { name: "by_state", key: { organisation_id: 1, dataset_id: 1, state: 1, number: -1 } },
      { name: "creation", key: { organisation_id: 1, dataset_id: 1, created_at: -1, _id: -1 } },
      { name: "content", key: { organisation_id: 1, content_key: 1, state: 1 } },
      { name: "file", key: { organisation_id: 1, "files.sha256": 1 } },
      { name: "data", key: { organisation_id: 1, "data.sha256": 1 } },
      { name: "predecessor", key: { organisation_id: 1, "predecessor.version_id": 1, created_at: 1, _id: 1 } },
      { name: "query-sources", key: { organisation_id: 1, "query.sources.version_id": 1, created_at: 1, _id: 1 } },
      {
        name: "claims",
        key: { organisation_id: 1, "task.not_before": 1 },
        partialFilterExpression: { "task.attempts": { $exists: true } },
      },
    ],
  };

  /** Who reads or purges which version. */
  readonly leases: Leases<VersionDocument, DatasetVersion>;
  readonly #versions: TenantCollection<VersionDocument>;

  constructor(store: DocumentStore) {
    this.#versions = new TenantCollection(store, collection);
    const fields = { holder: "task.holder", expiresAt: "task.not_before", failures: "task.attempts" };
    const wanted = { "task.attempts": { $exists: true } };
    this.leases = new Leases(store, { collection, fields, wanted, read: toVersion });
  }

  /** @throws DatasetVersionNotFoundError */
  async get({ organisationId, datasetId, versionId }: VersionRef, session?: ClientSession): Promise<DatasetVersion> {
    const filter = { _id: versionId, dataset_id: datasetId };
    const found = await this.#versions.findOne(organisationId, filter, { session });
    if (!found) throw new DatasetVersionNotFoundError(versionId);
    return toVersion(found);
  }

  /** The newest version of the dataset whose rows can be read. */
  async newestReady({ organisationId, datasetId }: DatasetRef, session: ClientSession) {
    const filter = { dataset_id: datasetId, state: "ready" as const };
    const found = await this.#versions.findOne(organisationId, filter, { sort: { number: -1 }, session });
    return found && toVersion(found);
  }

  /** Whether the dataset has a version. */
  async has({ organisationId, datasetId }: DatasetRef): Promise<boolean> {
    const found = await this.#versions.findOne(organisationId, { dataset_id: datasetId }, { only: ["number"] });
    return found !== undefined;
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list({ organisationId, datasetId }: DatasetRef, request: ListPageRequest): Promise<Page<DatasetVersion>> {
    const source = { list: versionList, request, within: { dataset_id: datasetId }, sizeOf: sizeOfVersion };
    const { items, nextCursor } = await findPage(this.#versions, organisationId, source);
    return { items: items.map(toVersion), nextCursor };
  }

  /** What the lineage has of versions, whatever their dataset. */
  async lineage(search: LineageSearch): Promise<LineageMatches<Thing>> {
    const { ids, sourceIds, knownIds } = search;
    const { things, total } = await findLineage(this.#versions, search, {
      named: { _id: { $in: [...ids] } },
      derived: {
        $or: [
          { "predecessor.version_id": { $in: [...sourceIds] } },
          { "query.sources.version_id": { $in: [...sourceIds] } },
        ],
        _id: { $nin: [...knownIds] },
      },
      only: ["dataset_id", "number", "state", "predecessor", "query.sources"],
    });
    return { things: things.map(toThing), total };
  }

  /** The data that files were read to before. */
  async dataOf(
    organisationId: string,
    files: readonly VersionFile[],
    session?: ClientSession,
  ): Promise<VersionData | undefined> {
    const filter = { content_key: contentDigestOf(files), state: "ready" as const };
    const found = await this.#versions.findOne(organisationId, filter, { session });
    return found?.data ? toData(found.data) : undefined;
  }

  /** Those of the digests that versions refer to, as a file or as their data. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const state = { $in: [...referringStates] };
    const wanted = new Set(digests);
    const files = { "files.sha256": { $in: [...digests] }, state };
    const ofFiles = await this.#versions.find(organisationId, files, { only: ["files.sha256"] });
    const data = { "data.sha256": { $in: [...digests] }, state };
    const ofData = await this.#versions.find(organisationId, data, { only: ["data.sha256"] });
    const found = [
      ...ofFiles.flatMap((version) => version.files.map(({ sha256 }) => sha256)),
      ...ofData.flatMap((version) => (version.data ? [version.data.sha256] : [])),
    ];
    return [...new Set(found.filter((digest) => wanted.has(digest)))];
  }

  /** Bytes of the data of all versions that are ready. */
  bytes(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#versions.sum(organisationId, { state: "ready" }, "$data.size_bytes", { session });
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#versions.count(organisationId, {}, { ...(session && { session }) });
  }

  /** Stores a new version; one that is not ready is due to be read at once. */
  async insert(version: DatasetVersion, session: ClientSession): Promise<void> {
    await this.#versions.insert(version.organisationId, toDocument(version), { session });
  }

  /** Notes under the lease that the files are being read. Answers whether the holder still had it. */
  beginReading({ organisationId, id, holder }: HeldLease, now: Date): Promise<boolean> {
    const filter = { _id: id, state: { $in: statesBefore("reading") }, ...this.leases.fence(holder) };
    const $set = { state: "reading" as const, updated_at: now, bytes_read: 0 };
    return this.#versions.updateOne(organisationId, filter, { $set });
  }

  /** Notes under the lease which artifacts files were copied to. Answers whether the holder still had it. */
  noteCopied({ organisationId, id, holder }: HeldLease, copied: DatasetVersion): Promise<boolean> {
    const filter = { _id: id, state: "reading" as const, ...this.leases.fence(holder) };
    const { files, content_key } = toDocument(copied);
    return this.#versions.updateOne(organisationId, filter, { $set: { files, content_key } });
  }

  /** Notes under the lease how many bytes are read. It changes nothing once the holder has lost the lease. */
  async noteProgress({ organisationId, id, holder }: HeldLease, bytesRead: number): Promise<void> {
    const filter = { _id: id, state: "reading" as const, ...this.leases.fence(holder) };
    await this.#versions.updateOne(organisationId, filter, { $set: { bytes_read: bytesRead } });
  }

  /** Counts that the process which read the files has stopped. Answers how often it has by now. */
  async noteStop({ organisationId, id, holder }: HeldLease): Promise<number> {
    const one = { _id: id, ...this.leases.fence(holder) };
    await this.#versions.updateOne(organisationId, one, { $inc: { "task.stops": 1 } });
    return (await this.#versions.findOne(organisationId, one))?.task?.stops ?? 0;
  }

  /** Ends the reading under its lease. Answers whether the holder still had it. */
  endReading(
    { organisationId, id, holder }: HeldLease,
    outcome: ReadOutcome,
    { now, session }: { now: Date; session: ClientSession },
  ): Promise<boolean> {
    const filter = { _id: id, state: { $in: statesBefore(outcome.state) }, ...this.leases.fence(holder) };
    const { state } = outcome;
    const result =
      state === "ready" ? { data: toDataDocument(outcome.data) } : { problem: toProblemDocument(outcome.problem) };
    const $set = { state, updated_at: now, ...result };
    const $unset = { task: "" as const, ...onlyWhileRead };
    return this.#versions.updateOne(organisationId, filter, { $set, $unset }, { session });
  }

  /** For a transaction that adds to a ready version: it and one that purges the version do not both commit. Answers whether it is ready. */
  claimReady({ organisationId, versionId }: VersionRef, session: ClientSession): Promise<boolean> {
    const filter = { _id: versionId, state: "ready" as const };
    return this.#versions.updateOne(organisationId, filter, { $inc: { additions: 1 } }, { session });
  }

  /** From now on the version refers to nothing, and its artifacts are due to be removed. Answers whether it could be purged. */
  beginPurging(
    { organisationId, versionId }: VersionRef,
    { now, uses }: Purging,
    session: ClientSession,
  ): Promise<boolean> {
    const filter = { _id: versionId, state: { $in: statesBefore("purging").filter((state) => state !== "purging") } };
    const task = { not_before: now, holder: null, attempts: 0 };
    const $set = { state: "purging" as const, updated_at: now, task, ...(uses && { uses: toUsesDocument(uses) }) };
    return this.#versions.updateOne(organisationId, filter, { $set, $unset: untilPurged }, { session });
  }

  /** Answers whether the holder still had the lease. */
  endPurging({ organisationId, id, holder }: HeldLease, { now, uses }: Purging): Promise<boolean> {
    const filter = { _id: id, state: "purging" as const, ...this.leases.fence(holder) };
    const $set = { state: "purged" as const, updated_at: now, ...(uses && { uses: toUsesDocument(uses) }) };
    return this.#versions.updateOne(organisationId, filter, { $set, $unset: { task: "" as const } });
  }

  /** Forgets all versions of a dataset. */
  async removeDataset({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<void> {
    await this.#versions.deleteMany(organisationId, { dataset_id: datasetId }, { session });
  }
}
