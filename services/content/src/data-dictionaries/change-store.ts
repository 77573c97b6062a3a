import { ListDataDictionaryHistoryRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  type TenantFilter,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { type Author, program } from "../author.ts";
import type { Dictionary, EntryChange } from "./data-dictionary.ts";

/** A change of an entry as it is remembered. */
export interface PastChange {
  id: string;
  name: string;
  /** Undefined where there was no entry. */
  previous: string | undefined;
  /** Undefined where there was none from then on. */
  description: string | undefined;
  author: Author;
  /** The dictionary's version that it made. */
  version: number;
  changedAt: Date;
}

/** Changes that were made together. */
export interface MadeChanges {
  dictionary: Dictionary;
  changes: readonly EntryChange[];
  author: Author;
  time: Date;
  newId: () => string;
}

export interface ChangeQuery {
  datasetId: string;
  /** Of this entry only. */
  name?: string | undefined;
}

interface ChangeDocument extends TenantDocument {
  dataset_id: string;
  name: string;
  previous: string | null;
  description: string | null;
  author_member_id: string | null;
  version: number;
  /** Its place among those that made the same version. */
  ordinal: number;
  changed_at: Date;
}

const collection = "dictionary_changes";

const changeList = new ListQuery(ListDataDictionaryHistoryRequestSchema, {
  defaultSort: [
    ["version", -1, "number"],
    ["ordinal", -1, "number"],
  ],
});
/** Read and removed in one go at most: a change may be 80 kB, a statement stays far below a second. */
const forgottenAtOnce = 200;

/** What was written to the dictionaries, by whom. */
export class ChangeStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "versions", key: { organisation_id: 1, dataset_id: 1, version: -1, ordinal: -1 } },
      { name: "names", key: { organisation_id: 1, dataset_id: 1, name: 1, version: -1, ordinal: -1 } },
    ],
  };

  readonly #changes: TenantCollection<ChangeDocument>;
  readonly #everywhere: Collection<ChangeDocument>;

  constructor(store: DocumentStore) {
    this.#changes = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<ChangeDocument>(collection);
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    { datasetId, name }: ChangeQuery,
    request: ListPageRequest,
  ): Promise<Page<PastChange>> {
    const within = { dataset_id: datasetId, ...(name === undefined ? {} : { name }) };
    const source = { list: changeList, request, within, sizeOf: sizeOfChange };
    const { items, nextCursor } = await findPage(this.#changes, organisationId, source);
    return { items: items.map(toChange), nextCursor };
  }

  async insert(organisationId: string, made: MadeChanges, session: ClientSession): Promise<void> {
    const { datasetId, version } = made.dictionary;
    const documents = made.changes.map(({ name, before, after }, ordinal) => ({
      _id: made.newId(),
      organisation_id: organisationId,
      dataset_id: datasetId,
      name,
      previous: before?.description ?? null,
      description: after?.description ?? null,
      author_member_id: made.author.kind === "person" ? made.author.memberId : null,
      version,
      ordinal,
      changed_at: made.time,
    }));
    await this.#changes.insertMany(organisationId, documents, { session });
  }

  /** Forgets the history of a dataset that is gone. Without a transaction: it may be longer than one could take. */
  async forget(organisationId: string, datasetId: string): Promise<void> {
    await this.#forgetAll(organisationId, { dataset_id: datasetId });
  }

  /** Forgets all but the newest of a dictionary and of each of its entries; answers how many were forgotten. */
  async prune(
    organisationId: string,
    datasetId: string,
    { ofEntry, ofDictionary }: { ofEntry: number; ofDictionary: number },
  ): Promise<number> {
    let forgotten = await this.#forgetBeyond(organisationId, { dataset_id: datasetId }, ofDictionary);
    for (const name of await this.#namesWithMore(organisationId, datasetId, ofEntry))
      forgotten += await this.#forgetBeyond(organisationId, { dataset_id: datasetId, name }, ofEntry);
    return forgotten;
  }

  /** Entries with more changes than that. The index has all that is asked for. */
  async #namesWithMore(organisationId: string, datasetId: string, most: number): Promise<string[]> {
    const match = { $match: { organisation_id: organisationId, dataset_id: datasetId } };
    const group = { $group: { _id: "$name", count: { $sum: 1 } } };
    const more = { $match: { count: { $gt: most } } };
    const found = await translated(() => this.#everywhere.aggregate<{ _id: string }>([match, group, more]).toArray());
    return found.map(({ _id }) => _id);
  }

  async #forgetBeyond(organisationId: string, of: TenantFilter<ChangeDocument>, most: number): Promise<number> {
    const oldest = { sort: { version: -1, ordinal: -1 }, skip: most, without: ["previous", "description"] } as const;
    const first = await this.#changes.findOne(organisationId, of, oldest);
    if (!first) return 0;
    const { version, ordinal } = first;
    const older = { $or: [{ version: { $lt: version } }, { version, ordinal: { $lte: ordinal } }] };
    return await this.#forgetAll(organisationId, { ...of, ...older });
  }

  async #forgetAll(organisationId: string, filter: TenantFilter<ChangeDocument>): Promise<number> {
    for (let forgotten = 0; ; ) {
      const found = await this.#changes.find(organisationId, filter, { limit: forgottenAtOnce });
      if (found.length === 0) return forgotten;
      await this.#changes.deleteMany(organisationId, { _id: { $in: found.map(({ _id }) => _id) } });
      forgotten += found.length;
    }
  }
}

function sizeOfChange({ name, previous, description }: ChangeDocument): number {
  return name.length + (previous?.length ?? 0) + (description?.length ?? 0);
}

function toChange(document: ChangeDocument): PastChange {
  const { author_member_id: memberId } = document;
  return {
    id: document._id,
    name: document.name,
    previous: document.previous ?? undefined,
    description: document.description ?? undefined,
    author: memberId === null ? program : { kind: "person", memberId },
    version: document.version,
    changedAt: document.changed_at,
  };
}
