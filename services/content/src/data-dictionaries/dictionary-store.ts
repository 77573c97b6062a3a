import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
  Turns,
} from "@aiplatform/document-store";
import type { Dictionary } from "./dictionary.ts";

interface DictionaryDocument extends TenantDocument {
  version: number;
  next_position: number;
  entry_count: number;
  bytes: number;
  /** How often somebody set out to write; counted to make writers conflict before they read what they will change. */
  claims: number;
}

const collection = "dictionaries";

/** The heads of the dictionaries, one per dataset: what they hold is kept by `EntryStore`. */
export class DictionaryStore {
  static readonly indexes: IndexPlan = { collection, indexes: [] };

  readonly #dictionaries: TenantCollection<DictionaryDocument>;
  readonly #turns = new Turns();

  constructor(store: DocumentStore) {
    this.#dictionaries = new TenantCollection(store, collection);
  }

  async find(organisationId: string, datasetId: string, session?: ClientSession): Promise<Dictionary | undefined> {
    const document = await this.#dictionaries.findOne(organisationId, { _id: datasetId }, { session });
    return document && toDictionary(document);
  }

  /** Finds the dictionary to write to it: no other transaction that claims it commits beside this one. */
  async claim(organisationId: string, datasetId: string, session: ClientSession): Promise<Dictionary | undefined> {
    // Writers of one dictionary would only undo each other's work.
    await this.#turns.take(datasetId, session);
    const update = { $inc: { claims: 1 } };
    if (!(await this.#dictionaries.updateOne(organisationId, { _id: datasetId }, update, { session })))
      return undefined;
    return this.find(organisationId, datasetId, session);
  }

  async insert(organisationId: string, dictionary: Dictionary, session: ClientSession): Promise<void> {
    const { datasetId: _id } = dictionary;
    const document = { _id, organisation_id: organisationId, ...stateOf(dictionary), claims: 0 };
    await this.#dictionaries.insert(organisationId, document, { session });
  }

  /** Keeps a claimed dictionary as it is now. */
  async update(organisationId: string, dictionary: Dictionary, session: ClientSession): Promise<void> {
    const update = { $set: stateOf(dictionary) };
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
