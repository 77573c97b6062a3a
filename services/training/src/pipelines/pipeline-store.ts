import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
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
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type IndexedValue, indexedValues } from "../indexed-values/indexed-values.ts";
import { type Pipeline, PipelineNotFoundError } from "./pipeline.ts";

interface PipelineDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  /** Absent in documents of earlier versions, like what follows. */
  description?: string;
  /** JSON text: no key of it is a key here. */
  annotations?: string;
  /** What it is found by of its annotations. */
  annotation_values?: IndexedValue[];
  created_at: Date;
  updated_at?: Date;
  /** Absent while it is not archived. */
  archived_at?: Date;
  /** How often a writer claimed it; counted so that writers conflict before they read what they will change. */
  claims?: number;
}

const collection = "pipelines";

export const pipelineSearch: SearchedCollection = {
  kind: SearchKind.PIPELINE,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { pipeline_id: "_id" },
  orderIndex: "newest",
  unarchived: { archived_at: null },
};

const pipelineList = new ListQuery(ListPipelinesRequestSchema, {
  bindings: { annotations: { entries: "annotation_values" } },
});

export class PipelineStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "newest", key: { organisation_id: 1, created_at: -1, _id: -1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      searchIndex,
      {
        name: "by_annotation",
        key: { organisation_id: 1, "annotation_values.key": 1, "annotation_values.value": 1, created_at: -1 },
      },
    ],
    retired: ["organisation"],
  };

  readonly #pipelines: TenantCollection<PipelineDocument>;

  constructor(store: DocumentStore) {
    this.#pipelines = new TenantCollection(store, collection);
  }

  async insert(organisationId: string, pipeline: Pipeline, session: ClientSession): Promise<void> {
    const { id, name, description, annotations, createdAt, updatedAt } = pipeline;
    const times = { created_at: createdAt, updated_at: updatedAt };
    const document = { _id: id, organisation_id: organisationId, name, description, annotations, ...times };
    const found = { annotation_values: indexedValues(annotations), ...searchFields(pipelineSearch, document) };
    const stored = { ...document, ...found };
    await this.#pipelines.insert(organisationId, stored, { session });
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#pipelines.count(organisationId, {}, { session });
  }

  async find(organisationId: string, pipelineId: string, session?: ClientSession): Promise<Pipeline | undefined> {
    const found = await this.#pipelines.findOne(organisationId, { _id: pipelineId }, { session });
    return found && pipelineOf(found);
  }

  /** @throws PipelineNotFoundError */
  async get(organisationId: string, pipelineId: string, session?: ClientSession): Promise<Pipeline> {
    const found = await this.find(organisationId, pipelineId, session);
    if (!found) throw new PipelineNotFoundError();
    return found;
  }

  /** The oldest pipeline of that name: one that is archived only where all are. */
  async findNamed(organisationId: string, name: string, session?: ClientSession): Promise<Pipeline | undefined> {
    const sort = { created_at: 1, _id: 1 } as const;
    const active = await this.#pipelines.findOne(organisationId, { name, archived_at: null }, { session, sort });
    const found = active ?? (await this.#pipelines.findOne(organisationId, { name }, { session, sort }));
    return found && pipelineOf(found);
  }

  /**
   * The pipeline, to write to it or below it: no other transaction that claims or deletes it commits beside this one.
   * @throws PipelineNotFoundError
   */
  async claim(organisationId: string, pipelineId: string, session: ClientSession): Promise<Pipeline> {
    await this.#pipelines.updateOne(organisationId, { _id: pipelineId }, { $inc: { claims: 1 } }, { session });
    return this.get(organisationId, pipelineId, session);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Pipeline>> {
    const { items, nextCursor } = await findPage(this.#pipelines, organisationId, {
      list: pipelineList,
      request,
      without: ["annotation_values", "search_words"],
    });
    return { items: items.map(pipelineOf), nextCursor };
  }

  /** Stores what may change of a claimed pipeline. */
  async update(organisationId: string, pipeline: Pipeline, session: ClientSession): Promise<void> {
    const { id, name, description, annotations, updatedAt, archivedAt } = pipeline;
    const archived = archivedAt ? { archived_at: archivedAt } : {};
    const texts = searchFields(pipelineSearch, { name, description });
    const found = { annotation_values: indexedValues(annotations), ...texts };
    const set = { name, description, annotations, ...found, updated_at: updatedAt, ...archived };
    const update = { $set: set, ...(archivedAt ? {} : { $unset: { archived_at: true as const } }) };
    await this.#pipelines.updateOne(organisationId, { _id: id }, update, { session });
  }

  async delete(organisationId: string, pipelineId: string, session: ClientSession): Promise<void> {
    await this.#pipelines.deleteOne(organisationId, { _id: pipelineId }, { session });
  }
}

function pipelineOf(document: PipelineDocument): Pipeline {
  const { _id: id, name, description = "", annotations = "{}", created_at: createdAt, archived_at } = document;
  const archived = archived_at ? { archivedAt: archived_at } : {};
  return { id, name, description, annotations, createdAt, updatedAt: document.updated_at ?? createdAt, ...archived };
}
