import {
  type ClientSession,
  createdBefore,
  type DocumentStore,
  type IndexPlan,
  newestFirst,
  type Page,
  pageOf,
  placeOf,
  TenantCollection,
  type TenantDocument,
  toRead,
} from "@aiplatform/document-store";
import { type Pipeline, PipelineNotFoundError } from "./pipeline.ts";

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
    indexes: [{ name: "newest", key: { organisation_id: 1, created_at: -1, _id: -1 } }],
    retired: ["organisation"],
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
    return found && pipelineOf(found);
  }

  /** @throws PipelineNotFoundError */
  async get(organisationId: string, pipelineId: string): Promise<Pipeline> {
    const found = await this.find(organisationId, pipelineId);
    if (!found) throw new PipelineNotFoundError();
    return found;
  }

  /** Newest first. @throws InvalidCursorError */
  async list(organisationId: string, page: { limit: number; cursor: string }): Promise<Page<Pipeline>> {
    const filter = createdBefore(placeOf(page.cursor));
    const options = { sort: newestFirst, limit: toRead(page) };
    const found = await this.#pipelines.find(organisationId, filter, options);
    return pageOf(found.map(pipelineOf), page);
  }
}

function pipelineOf({ _id, name, created_at }: PipelineDocument): Pipeline {
  return { id: _id, name, createdAt: created_at };
}
