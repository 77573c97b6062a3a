import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";

const collection = "known_datasets";

/** The datasets that there are, by content's events. */
export class KnownDatasetStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1, _id: 1 } }],
  };

  readonly #datasets: TenantCollection<TenantDocument>;

  constructor(store: DocumentStore) {
    this.#datasets = new TenantCollection(store, collection);
  }

  /** Those of the ids that are no datasets of the organisation. */
  async missing(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<string[]> {
    if (ids.length === 0) return [];
    const found = await this.#datasets.find(organisationId, { _id: { $in: [...ids] } }, { session });
    const known = new Set(found.map(({ _id }) => _id));
    return ids.filter((id) => !known.has(id));
  }

  async add(organisationId: string, id: string, session: ClientSession): Promise<void> {
    if ((await this.missing(organisationId, [id], session)).length === 0) return;
    await this.#datasets.insert(organisationId, { _id: id, organisation_id: organisationId }, { session });
  }

  /** Answers whether it was known. */
  remove(organisationId: string, id: string, session: ClientSession): Promise<boolean> {
    return this.#datasets.deleteOne(organisationId, { _id: id }, { session });
  }
}
