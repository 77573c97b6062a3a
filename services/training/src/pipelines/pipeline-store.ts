import {
  type ClientSession,
  type DocumentStore,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { Pipeline } from "./pipeline.ts";

interface PipelineDocument extends TenantDocument {
  name: string;
  created_at: Date;
}

/** Pipelines never change. */
export class PipelineStore {
  readonly #pipelines: TenantCollection<PipelineDocument>;

  constructor(store: DocumentStore) {
    this.#pipelines = new TenantCollection(store, "pipelines");
  }

  async insert(organisationId: string, { id, name, createdAt }: Pipeline, session: ClientSession): Promise<void> {
    const document = { _id: id, organisation_id: organisationId, name, created_at: createdAt };
    await this.#pipelines.insert(organisationId, document, { session });
  }

  async find(organisationId: string, pipelineId: string): Promise<Pipeline | undefined> {
    const found = await this.#pipelines.findOne(organisationId, { _id: pipelineId });
    return found && { id: found._id, name: found.name, createdAt: found.created_at };
  }
}
