import {
  byCreation,
  type ClientSession,
  createdAfter,
  type DocumentStore,
  type IndexPlan,
  type Page,
  placeOf,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { creationKey, readPage } from "../bounded-page.ts";
import { type Column, type Dataset, DatasetNotFoundError } from "./dataset.ts";

interface DatasetDocument extends TenantDocument {
  name: string;
  description: string;
  columns: Column[];
  created_at: Date;
  updated_at: Date;
}

const collection = "datasets";

export class DatasetStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } }],
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

  /** By creation. @throws InvalidCursorError */
  async list(organisationId: string, { limit, cursor }: { limit: number; cursor: string }): Promise<Page<Dataset>> {
    const found = this.#datasets.each(organisationId, createdAfter(placeOf(cursor)), { sort: byCreation });
    return await readPage(found, { limit, sizeOf: sizeOfDataset, keyOf: creationKey, toItem: toDataset });
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

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#datasets.deleteOne(organisationId, { _id: id }, { session });
  }
}

function sizeOfDataset({ name, description, columns }: DatasetDocument): number {
  return columns.reduce(
    (size, column) => size + column.name.length + column.type.length,
    name.length + description.length,
  );
}

function toDocument(dataset: Dataset): DatasetDocument {
  return {
    _id: dataset.id,
    organisation_id: dataset.organisationId,
    name: dataset.name,
    description: dataset.description,
    columns: dataset.columns,
    created_at: dataset.createdAt,
    updated_at: dataset.updatedAt,
  };
}

function toDataset(document: DatasetDocument): Dataset {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    columns: document.columns.map(({ name, type }) => ({ name, type })),
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
