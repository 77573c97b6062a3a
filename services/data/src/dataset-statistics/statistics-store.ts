import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { DatasetRef, VersionRef } from "../dataset-versions/dataset-version.ts";

interface StatisticsDocument extends TenantDocument {
  dataset_id: string;
  /** A message of the contract, with gzip, as base64. */
  statistics: string;
}

const collection = "dataset_statistics";
/** Characters that are kept at most: what a document can have, with room to spare. Larger ones are computed again. */
const maxKept = 12_000_000;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** What the columns of versions hold, once it was asked for. */
export class StatisticsStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "dataset", key: { organisation_id: 1, dataset_id: 1 } }],
  };

  readonly #statistics: TenantCollection<StatisticsDocument>;

  constructor(store: DocumentStore) {
    this.#statistics = new TenantCollection(store, collection);
  }

  /** Bytes of the message; undefined: they were not computed yet. */
  async find({ organisationId, versionId }: VersionRef): Promise<Uint8Array | undefined> {
    const found = await this.#statistics.findOne(organisationId, { _id: versionId });
    return found && (await decompress(Buffer.from(found.statistics, "base64")));
  }

  /** Keeps them, in a transaction in which the version is known to be ready. */
  async put({ organisationId, datasetId, versionId }: VersionRef, bytes: Uint8Array, session: ClientSession) {
    const statistics = (await compress(bytes)).toString("base64");
    if (statistics.length > maxKept) return;
    const update = { $set: { dataset_id: datasetId, statistics } };
    await this.#statistics.updateOne(organisationId, { _id: versionId }, update, { session, upsert: true });
  }

  async remove({ organisationId, versionId }: VersionRef, session: ClientSession): Promise<void> {
    await this.#statistics.deleteOne(organisationId, { _id: versionId }, { session });
  }

  async removeDataset({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<void> {
    await this.#statistics.deleteMany(organisationId, { dataset_id: datasetId }, { session });
  }
}
