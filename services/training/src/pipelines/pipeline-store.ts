import { ListPipelinesRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { type Pipeline, PipelineNotFoundError } from "./pipeline.ts";

interface PipelineDocument extends TenantDocument {
  name: string;
  created_at: Date;
}

const collection = "pipelines";

const pipelineList = new ListQuery(ListPipelinesRequestSchema);

/** Pipelines never change. */
export class PipelineStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "newest", key: { organisation_id: 1, created_at: -1, _id: -1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
    ],
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

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Pipeline>> {
    const { items, nextCursor } = await findPage(this.#pipelines, organisationId, { list: pipelineList, request });
    return { items: items.map(pipelineOf), nextCursor };
  }
}

function pipelineOf({ _id, name, created_at }: PipelineDocument): Pipeline {
  return { id: _id, name, createdAt: created_at };
}
