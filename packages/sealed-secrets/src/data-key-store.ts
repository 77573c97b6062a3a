import {
  type Collection,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";

/** A data key as it is kept. */
export interface DataKey {
  id: string;
  organisationId: string;
  generation: number;
  /** Id of the key-encryption key that it is wrapped under. */
  wrappedBy: string;
  /** Sealed. */
  wrapped: string;
}

interface DataKeyDocument extends TenantDocument {
  generation: number;
  wrapped_by: string;
  wrapped: string;
  created_at: Date;
}

const collection = "data_keys";
const batch = 100;

/** The data keys of the organisations, each wrapped under a key-encryption key. */
export class DataKeyStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "generation", key: { organisation_id: 1, generation: 1 }, unique: true },
      { name: "wrapped_by", key: { wrapped_by: 1, _id: 1 } },
    ],
  };

  readonly #keys: TenantCollection<DataKeyDocument>;
  readonly #all: Collection<DataKeyDocument>;

  constructor(store: DocumentStore) {
    this.#keys = new TenantCollection(store, collection);
    this.#all = store.database.collection<DataKeyDocument>(collection);
  }

  /** The organisation's newest key. */
  async findNewest(organisationId: string): Promise<DataKey | undefined> {
    const found = await this.#keys.findOne(organisationId, {}, { sort: { generation: -1 } });
    return found && toDataKey(found);
  }

  async find(organisationId: string, id: string): Promise<DataKey | undefined> {
    const found = await this.#keys.findOne(organisationId, { _id: id });
    return found && toDataKey(found);
  }

  /** Answers false when the organisation has a key of this generation already. */
  async insert({ id, organisationId, generation, wrappedBy, wrapped }: DataKey, createdAt: Date): Promise<boolean> {
    const own = { generation, wrapped_by: wrappedBy, wrapped, created_at: createdAt };
    try {
      await this.#keys.insert(organisationId, { _id: id, organisation_id: organisationId, ...own });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Wraps the key under another key, unless another process just has. */
  async rewrap({ organisationId, id, wrapped: before }: DataKey, wrappedBy: string, wrapped: string): Promise<void> {
    const update = { $set: { wrapped_by: wrappedBy, wrapped } };
    await this.#keys.updateOne(organisationId, { _id: id, wrapped: before }, update);
  }

  /** Ids of the key-encryption keys in use, each with a data key that is wrapped under it. Of all organisations. */
  async samples(): Promise<DataKey[]> {
    const samples: DataKey[] = [];
    for (const wrappedBy of await translated(() => this.#all.distinct("wrapped_by"))) {
      const found = await translated(() => this.#all.findOne({ wrapped_by: wrappedBy }));
      if (found) samples.push(toDataKey(found));
    }
    return samples;
  }

  /** Some of the keys, of all organisations, that are not wrapped under this one. */
  async findWrappedByOthers(wrappedBy: string): Promise<DataKey[]> {
    const others = this.#all.find({ wrapped_by: { $ne: wrappedBy } }).limit(batch);
    const found = await translated(() => others.toArray());
    return found.map(toDataKey);
  }
}

function toDataKey({ _id, organisation_id, generation, wrapped_by, wrapped }: DataKeyDocument): DataKey {
  return { id: _id, organisationId: organisation_id, generation, wrappedBy: wrapped_by, wrapped };
}
