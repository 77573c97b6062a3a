import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";

interface PipelineDocument extends TenantDocument {
  name: string;
}

const collection = "known_pipelines";

/** The names of the pipelines, by training's events: their models are called after them. */
export class KnownPipelineStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1, _id: 1 } }],
  };

  readonly #pipelines: TenantCollection<PipelineDocument>;

  constructor(store: DocumentStore) {
    this.#pipelines = new TenantCollection(store, collection);
  }

  async nameOf(organisationId: string, id: string, session: ClientSession): Promise<string | undefined> {
    return (await this.#pipelines.findOne(organisationId, { _id: id }, { session }))?.name;
  }

  async put(organisationId: string, { id, name }: { id: string; name: string }, session: ClientSession): Promise<void> {
    const options = { session, upsert: true };
    await this.#pipelines.updateOne(organisationId, { _id: id }, { $set: { name } }, options);
  }
}
