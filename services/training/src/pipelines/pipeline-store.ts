import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { Pipeline } from "./pipeline.ts";

interface PipelineDocument extends TenantDocument {
  name: string;
  created_at: Date;
}

const collection = "pipelines";

/** Pipelines never change. */
export class PipelineStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1, _id: 1 } }],
  };

  readonly #pipelines: TenantCollection<PipelineDocument>;

  constructor(store: DocumentStore) {
    this.#pipelines = new TenantCollection(store, collection);
  }

  async insert(organisationId: string, { id, name, createdAt }: Pipeline, session: ClientSession): Promise<void> {
    const document = { _id: id, organisation_id: organisationId, name, created_at: createdAt };
    await this.#pipelines.insert(organisationId, document, { session });
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#pipelines.count(organisationId, {}, { session });
  }

  async find(organisationId: string, pipelineId: string): Promise<Pipeline | undefined> {
    const found = await this.#pipelines.findOne(organisationId, { _id: pipelineId });
    return found && { id: found._id, name: found.name, createdAt: found.created_at };
  }
}
