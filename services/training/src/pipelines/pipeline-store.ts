import { type DocumentStore, isDuplicateKey, TenantCollection, type TenantDocument } from "@aiplatform/document-store";
import type { Pipeline } from "./pipeline.ts";

interface PipelineDocument extends TenantDocument {
  name: string;
  created_at: Date;
}

/** Pipelines. They never change. */
export class PipelineStore {
  readonly #pipelines: TenantCollection<PipelineDocument>;

  constructor(store: DocumentStore) {
    this.#pipelines = new TenantCollection(store, "pipelines");
  }

  /** Inserts the pipeline; false when its id is taken, by whomever. */
  async insert(organisationId: string, { id, name, createdAt }: Pipeline): Promise<boolean> {
    const document = { _id: id, organisation_id: organisationId, name, created_at: createdAt };
    try {
      await this.#pipelines.insert(organisationId, document);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async find(organisationId: string, pipelineId: string): Promise<Pipeline | undefined> {
    const found = await this.#pipelines.findOne(organisationId, { _id: pipelineId });
    return found && { id: found._id, name: found.name, createdAt: found.created_at };
  }
}
