import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  KeyedMutex,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { type Dictionary, DictionaryNotFoundError } from "./data-dictionary.ts";

interface DictionaryDocument extends TenantDocument {
  version: number;
  next_position: number;
  entry_count: number;
  bytes: number;
  /** How often a writer claimed it; counted so that writers conflict before they read what they will change. */
  claims: number;
  /** Changes since its history was last pruned. */
  changes?: number;
}

/** A dictionary that was changed so often that its history may have outgrown its bounds. */
export interface GrownDictionary {
  organisationId: string;
  datasetId: string;
  changes: number;
}

const collection = "dictionaries";

/** The heads of the dictionaries, one per dataset: what they hold is kept by `EntryStore`. */
export class DictionaryStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "changes", key: { changes: -1 } }],
  };

  readonly #dictionaries: TenantCollection<DictionaryDocument>;
  readonly #everywhere: Collection<DictionaryDocument>;
  readonly #mutex = new KeyedMutex();

  constructor(store: DocumentStore) {
    this.#dictionaries = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<DictionaryDocument>(collection);
  }

  async find(organisationId: string, datasetId: string, session?: ClientSession): Promise<Dictionary | undefined> {
    const document = await this.#dictionaries.findOne(organisationId, { _id: datasetId }, { session });
    return document && toDictionary(document);
  }

  /** @throws DictionaryNotFoundError */
  async get(organisationId: string, datasetId: string, session?: ClientSession): Promise<Dictionary> {
    const found = await this.find(organisationId, datasetId, session);
    if (!found) throw new DictionaryNotFoundError(datasetId);
    return found;
  }

  /** Finds the dictionary to write to it: no other transaction that claims it commits beside this one. */
  async claim(organisationId: string, datasetId: string, session: ClientSession): Promise<Dictionary | undefined> {
    // Writers of one dictionary would only undo each other's work.
    await this.#mutex.acquire(datasetId, session);
    const update = { $inc: { claims: 1 } };
    if (!(await this.#dictionaries.updateOne(organisationId, { _id: datasetId }, update, { session })))
      return undefined;
    return this.find(organisationId, datasetId, session);
  }

  /** Of every organisation: those with so many changes since their history was last pruned, most changed first. */
  async grown(changes: number, limit: number): Promise<GrownDictionary[]> {
    const filter = { changes: { $gte: changes } };
    const options = { projection: { organisation_id: 1, changes: 1 } };
    const found = await translated(() =>
      this.#everywhere.find(filter, options).sort({ changes: -1 }).limit(limit).toArray(),
    );
    return found.map(({ _id, organisation_id, changes: made = 0 }) => {
      return { organisationId: organisation_id, datasetId: _id, changes: made };
    });
  }

  /** So many changes have been seen to; of two who saw to the same, one is believed. */
  async noteBounded(organisationId: string, datasetId: string, changes: number): Promise<void> {
    const filter = { _id: datasetId, changes: { $gte: changes } };
    await this.#dictionaries.updateOne(organisationId, filter, { $inc: { changes: -changes } });
  }

  /** `changes`: how many its first version holds. */
  async insert(organisationId: string, dictionary: Dictionary, changes: number, session: ClientSession): Promise<void> {
    const { datasetId: _id } = dictionary;
    const document = { _id, organisation_id: organisationId, ...stateOf(dictionary), claims: 0, changes };
    await this.#dictionaries.insert(organisationId, document, { session });
  }

  /** Keeps a claimed dictionary as it is after so many changes. */
  async update(organisationId: string, dictionary: Dictionary, changes: number, session: ClientSession): Promise<void> {
    const update = { $set: stateOf(dictionary), $inc: { changes } };
    await this.#dictionaries.updateOne(organisationId, { _id: dictionary.datasetId }, update, { session });
  }

  async delete(organisationId: string, datasetId: string, session: ClientSession): Promise<void> {
    await this.#dictionaries.deleteOne(organisationId, { _id: datasetId }, { session });
  }
}

function stateOf({ version, nextPosition, entryCount, bytes }: Dictionary) {
  return { version, next_position: nextPosition, entry_count: entryCount, bytes };
}

function toDictionary(document: DictionaryDocument): Dictionary {
  return {
    datasetId: document._id,
    organisationId: document.organisation_id,
    version: document.version,
    nextPosition: document.next_position,
    entryCount: document.entry_count,
    bytes: document.bytes,
  };
}
