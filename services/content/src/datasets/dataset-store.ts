import { ListDatasetsRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Column, type Dataset, DatasetNotFoundError } from "./dataset.ts";

interface DatasetDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  description: string;
  columns: Column[];
  /** Absent in datasets of earlier versions. */
  sensitive_columns?: string[];
  created_at: Date;
  updated_at: Date;
}

const collection = "datasets";

export const datasetSearch: SearchedCollection = {
  kind: SearchKind.DATASET,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { dataset_id: "_id" },
  orderIndex: "creation",
};

const datasetList = new ListQuery(ListDatasetsRequestSchema, { defaultSort: oldestFirst });

export class DatasetStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      searchIndex,
    ],
  };

  readonly #datasets: TenantCollection<DatasetDocument>;

  constructor(store: DocumentStore) {
    this.#datasets = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Dataset | undefined> {
    const document = await this.#datasets.findOne(organisationId, { _id: id }, { session });
    return document && toDataset(document);
  }

  /** @throws DatasetNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Dataset> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new DatasetNotFoundError(id);
    return found;
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Dataset>> {
    const source = { list: datasetList, request, sizeOf: sizeOfDataset };
    const { items, nextCursor } = await findPage(this.#datasets, organisationId, source);
    return { items: items.map(toDataset), nextCursor };
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#datasets.count(organisationId, {}, { session });
  }

  async insert(organisationId: string, dataset: Dataset, session: ClientSession): Promise<void> {
    await this.#datasets.insert(organisationId, toDocument(dataset), { session });
  }

  async setColumns(
    organisationId: string,
    { id, columns, updatedAt }: Pick<Dataset, "id" | "columns" | "updatedAt">,
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { columns, updated_at: updatedAt } };
    await this.#datasets.updateOne(organisationId, { _id: id }, update, { session });
  }

  async setSensitiveColumns(
    organisationId: string,
    { id, sensitiveColumns, updatedAt }: Pick<Dataset, "id" | "sensitiveColumns" | "updatedAt">,
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { sensitive_columns: sensitiveColumns, updated_at: updatedAt } };
    await this.#datasets.updateOne(organisationId, { _id: id }, update, { session });
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#datasets.deleteOne(organisationId, { _id: id }, { session });
  }
}

function sizeOfDataset({ name, description, columns, sensitive_columns = [] }: DatasetDocument): number {
  const texts = [name, description, ...columns.flatMap((column) => [column.name, column.type]), ...sensitive_columns];
  return texts.reduce((size, { length }) => size + length, 0);
}

function toDocument(dataset: Dataset): DatasetDocument {
  return {
    _id: dataset.id,
    organisation_id: dataset.organisationId,
    name: dataset.name,
    description: dataset.description,
    columns: dataset.columns,
    sensitive_columns: dataset.sensitiveColumns,
    created_at: dataset.createdAt,
    updated_at: dataset.updatedAt,
    ...searchFields(datasetSearch, dataset),
  };
}

function toDataset(document: DatasetDocument): Dataset {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    columns: document.columns.map(({ name, type }) => ({ name, type })),
    sensitiveColumns: document.sensitive_columns ?? [],
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
