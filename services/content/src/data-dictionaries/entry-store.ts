import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Author, program } from "../author.ts";
import type { Entry, EntryChange } from "./data-dictionary.ts";

interface EntryDocument extends TenantDocument, Partial<SearchFields> {
  dataset_id: string;
  name: string;
  description: string;
  position: number;
  /** Null: a program. */
  author_member_id: string | null;
}

const collection = "dictionary_entries";

export const entrySearch: SearchedCollection = {
  kind: SearchKind.DICTIONARY_ENTRY,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { dataset_id: "dataset_id" },
  orderIndex: "by_id",
  hasTime: false,
};

/**
 * The entries of the dictionaries, a document each: together they would not fit into the 16 MiB of one, and a patch writes
 * those alone that it changes. Written only by who has claimed the dictionary.
 */
export class EntryStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "order", key: { organisation_id: 1, dataset_id: 1, position: 1 }, unique: true },
      { name: "name", key: { organisation_id: 1, dataset_id: 1, name: 1 }, unique: true },
      { name: "by_id", key: { organisation_id: 1, _id: 1 } },
      searchIndex,
    ],
  };

  readonly #entries: TenantCollection<EntryDocument>;

  constructor(store: DocumentStore) {
    this.#entries = new TenantCollection(store, collection);
  }

  /** All of a dictionary, in the order of their first appearance. */
  async list(organisationId: string, datasetId: string, session: ClientSession): Promise<Entry[]> {
    const sort = { position: 1 } as const;
    const found = await this.#entries.find(organisationId, { dataset_id: datasetId }, { sort, session });
    return found.map(toEntry);
  }

  async write(
    organisationId: string,
    { datasetId, changes }: { datasetId: string; changes: readonly EntryChange[] },
    session: ClientSession,
  ): Promise<void> {
    const added = changes.flatMap(({ before, after }) => (after && !before ? [after] : []));
    const replaced = changes.flatMap(({ before, after }) => (after && before ? [after] : []));
    const removed = changes.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
    const updates = replaced.map(({ id, name, description, author }) => {
      const found = searchFields(entrySearch, { name, description });
      const update = { $set: { description, author_member_id: memberOf(author), ...found } };
      return { filter: { _id: id }, update };
    });
    await this.#entries.updateEach(organisationId, updates, { session });
    if (removed.length > 0) await this.#entries.deleteMany(organisationId, { _id: { $in: removed } }, { session });
    const documents = added.map((entry) => toDocument(entry, organisationId, datasetId));
    await this.#entries.insertMany(organisationId, documents, { session });
  }

  async deleteAll(organisationId: string, datasetId: string, session: ClientSession): Promise<void> {
    await this.#entries.deleteMany(organisationId, { dataset_id: datasetId }, { session });
  }
}

function memberOf(author: Author): string | null {
  return author.kind === "person" ? author.memberId : null;
}

function toDocument(entry: Entry, organisationId: string, datasetId: string): EntryDocument {
  return {
    _id: entry.id,
    organisation_id: organisationId,
    dataset_id: datasetId,
    name: entry.name,
    description: entry.description,
    position: entry.position,
    author_member_id: memberOf(entry.author),
    ...searchFields(entrySearch, entry),
  };
}

function toEntry({ _id, name, description, position, author_member_id: memberId }: EntryDocument): Entry {
  const author: Author = memberId === null ? program : { kind: "person", memberId };
  return { id: _id, name, description, position, author };
}
