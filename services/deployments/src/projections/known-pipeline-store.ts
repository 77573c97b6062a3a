import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";

interface PipelineDocument extends TenantDocument {
  name: string;
  /** When the pipeline got the name; absent where that was not kept. */
  told_at?: Date;
}

/** A pipeline as training tells of it. */
interface NamedPipeline {
  id: string;
  name: string;
  toldAt: Date;
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

  /** Events of a pipeline may come in another order than they happened: the newest name stays. */
  async put(organisationId: string, { id, name, toldAt }: NamedPipeline, session: ClientSession): Promise<void> {
    const known = await this.#pipelines.findOne(organisationId, { _id: id }, { session });
    if (known?.told_at && known.told_at > toldAt) return;
    const options = { session, upsert: true };
    await this.#pipelines.updateOne(organisationId, { _id: id }, { $set: { name, told_at: toldAt } }, options);
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#pipelines.deleteOne(organisationId, { _id: id }, { session });
  }
}
