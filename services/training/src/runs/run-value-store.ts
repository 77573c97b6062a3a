import type { ClientSession, Collection, DocumentStore, IndexPlan } from "@aiplatform/document-store";
import { TenantCollection, type TenantDocument, translated } from "@aiplatform/document-store";

/** A number by which a run has a place in an order: the order of an array's values cannot be read from an index. */
export interface RunValue extends TenantDocument {
  pipeline_id: string;
  run_id: string;
  /** Such as `metrics.loss`. */
  key: string;
  value: number;
}

/** Which values, in which order. */
export interface RunValueQuery {
  key: string;
  /** Conditions that the index answers: the pipeline, and the place behind a cursor. */
  within: Readonly<Record<string, unknown>>;
  sort: Readonly<Record<string, 1 | -1>>;
}

const collection = "run_values";

/** Values that are read at once. */
export const valueBatchSize = 128;

export function runValueId(runId: string, key: string): string {
  return `${runId}/${key}`;
}

/** Numbers of runs, one document each. */
export class RunValueStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "of_pipeline", key: { organisation_id: 1, pipeline_id: 1, key: 1, value: 1, _id: 1 } },
      { name: "of_organisation", key: { organisation_id: 1, key: 1, value: 1, _id: 1 } },
    ],
  };

  readonly #values: TenantCollection<RunValue>;
  readonly #collection: Collection<RunValue>;

  constructor(store: DocumentStore) {
    this.#values = new TenantCollection(store, collection);
    this.#collection = store.database.collection(collection);
  }

  insert(organisationId: string, values: readonly RunValue[], session: ClientSession | undefined): Promise<void> {
    return this.#values.insertMany(organisationId, values, { session });
  }

  /** Stores values in place of those of their runs and keys; without a number, there is none. */
  async put(
    values: readonly (Omit<RunValue, "value"> & { value: number | undefined })[],
    session: ClientSession,
  ): Promise<void> {
    if (values.length === 0) return;
    const operations = values.map(({ _id, organisation_id, value, ...rest }) => {
      const filter = { _id, organisation_id };
      if (value === undefined) return { deleteOne: { filter } };
      return { updateOne: { filter, update: { $set: { ...rest, value } }, upsert: true } };
    });
    await translated(() => this.#collection.bulkWrite(operations, { session, ordered: false }));
  }

  /** Values of a key, in order. */
  inOrder(organisationId: string, { key, within, sort }: RunValueQuery): AsyncGenerator<RunValue> {
    return this.#values.each(organisationId, { ...within, key }, { sort, batchSize: valueBatchSize });
  }

  /** Values of a key that these runs have, in order. */
  ofRuns(organisationId: string, runIds: readonly string[], query: RunValueQuery): AsyncGenerator<RunValue> {
    const { key, within, sort } = query;
    const ids = { _id: { $in: runIds.map((runId) => runValueId(runId, key)) } };
    return this.#values.each(organisationId, { $and: [ids, within] }, { sort, batchSize: valueBatchSize });
  }
}
