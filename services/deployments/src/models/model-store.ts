import { ListModelsRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Model, ModelNameTakenError, ModelNotFoundError } from "./model.ts";

interface ModelDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  description: string;
  pipeline_id?: string;
  newest_ready: { version_id: string; number: number } | null;
  /** Number of the newest version; each registration counts it up, so that two never register at the same time. */
  last_number: number;
  created_at: Date;
  updated_at: Date;
}

const collection = "models";

export const modelSearch: SearchedCollection = {
  kind: SearchKind.MODEL,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { model_id: "_id" },
  orderIndex: "creation",
};

const modelList = new ListQuery(ListModelsRequestSchema, {
  bindings: { newest_ready_version_id: "newest_ready.version_id" },
  defaultSort: oldestFirst,
  unique: ["name"],
});

export class ModelStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "name", key: { organisation_id: 1, name: 1 }, unique: true },
      searchIndex,
      {
        name: "pipeline",
        key: { organisation_id: 1, pipeline_id: 1 },
        unique: true,
        partialFilterExpression: { pipeline_id: { $exists: true } },
      },
    ],
  };

  readonly #models: TenantCollection<ModelDocument>;

  constructor(store: DocumentStore) {
    this.#models = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Model | undefined> {
    const document = await this.#models.findOne(organisationId, { _id: id }, { session });
    return document && toModel(document);
  }

  /** @throws ModelNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Model> {
    const model = await this.find(organisationId, id, session);
    if (!model) throw new ModelNotFoundError(id);
    return model;
  }

  /** The model whose versions the pipeline's runs are. */
  async ofPipeline(organisationId: string, pipelineId: string, session: ClientSession): Promise<Model | undefined> {
    const document = await this.#models.findOne(organisationId, { pipeline_id: pipelineId }, { session });
    return document && toModel(document);
  }

  /** The names of models, by id. */
  async names(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.#models.find(organisationId, { _id: { $in: [...ids] } }, { only: ["name"] });
    return new Map(found.map(({ _id, name }) => [_id, name]));
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Model>> {
    const source = { list: modelList, request, sizeOf: sizeOfModel };
    const { items, nextCursor } = await findPage(this.#models, organisationId, source);
    return { items: items.map(toModel), nextCursor };
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#models.count(organisationId, {}, { session });
  }

  /** Those of the names that are taken. */
  async taken(organisationId: string, names: readonly string[], session: ClientSession): Promise<Set<string>> {
    const found = await this.#models.find(organisationId, { name: { $in: [...names] } }, { session });
    return new Set(found.map(({ name }) => name));
  }

  /** @throws ModelNameTakenError */
  async insert(organisationId: string, model: Model, session: ClientSession): Promise<void> {
    try {
      await this.#models.insert(organisationId, toDocument(model), { session });
    } catch (error) {
      throw isDuplicateKey(error) ? new ModelNameTakenError(model.name) : error;
    }
  }

  /** The number of the version that the session registers; undefined when there is no such model. */
  async takeNumber(organisationId: string, id: string, session: ClientSession): Promise<number | undefined> {
    await this.#models.updateOne(organisationId, { _id: id }, { $inc: { last_number: 1 } }, { session });
    return (await this.#models.findOne(organisationId, { _id: id }, { session }))?.last_number;
  }

  /** Notes a version that is ready, unless a newer one is. */
  async noteReady(
    organisationId: string,
    { modelId, id, number, time }: { modelId: string; id: string; number: number; time: Date },
    session: ClientSession,
  ): Promise<void> {
    const isNewest = { $or: [{ newest_ready: null }, { "newest_ready.number": { $lt: number } }] };
    const update = { $set: { newest_ready: { version_id: id, number }, updated_at: time } };
    await this.#models.updateOne(organisationId, { _id: modelId, ...isNewest }, update, { session });
  }
}

function sizeOfModel({ name, description }: ModelDocument): number {
  return name.length + description.length;
}

function toDocument({ pipelineId, ...model }: Model): ModelDocument {
  return {
    _id: model.id,
    organisation_id: model.organisationId,
    name: model.name,
    description: model.description,
    ...(pipelineId === undefined ? {} : { pipeline_id: pipelineId }),
    newest_ready: null,
    last_number: 0,
    created_at: model.createdAt,
    updated_at: model.updatedAt,
    ...searchFields(modelSearch, model),
  };
}

function toModel(document: ModelDocument): Model {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    pipelineId: document.pipeline_id,
    newestReadyVersionId: document.newest_ready?.version_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
