import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { type DatasetRef, DatasetVersionLimitError, maxVersions } from "./dataset-version.ts";

interface NumberingDocument extends TenantDocument {
  last_number: number;
  /** The dataset is gone: it gets no versions. */
  is_deleted?: boolean;
}

const collection = "dataset_numbering";

/** The number of the newest version of each dataset, and which datasets are gone: a version and a deletion at the same time meet here. */
export class DatasetNumbering {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1, _id: 1 } }],
  };

  readonly #datasets: TenantCollection<NumberingDocument>;

  constructor(store: DocumentStore) {
    this.#datasets = new TenantCollection(store, collection);
  }

  /** The next number; undefined for a dataset that is gone. @throws DatasetVersionLimitError */
  async next({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<number | undefined> {
    const one = { _id: datasetId };
    await this.#datasets.updateOne(organisationId, one, { $inc: { last_number: 1 } }, { session, upsert: true });
    const found = await this.#datasets.findOne(organisationId, one, { session });
    if (!found || found.is_deleted) return undefined;
    if (found.last_number > maxVersions) throw new DatasetVersionLimitError();
    return found.last_number;
  }

  /** The dataset is gone. */
  async close({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<void> {
    const update = { $set: { is_deleted: true }, $inc: { last_number: 0 } };
    await this.#datasets.updateOne(organisationId, { _id: datasetId }, update, { session, upsert: true });
  }
}
