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

/** What of a value makes a place in an order. */
export type PlacedValue = Pick<RunValue, "_id" | "value">;

/** Which values, in which order. */
export interface RunValueQuery {
  key: string;
  /** The pipeline; undefined: all. */
  pipelineId: string | undefined;
  /** Conditions on the value and on what comes behind a cursor. */
  range: Readonly<Record<string, unknown>>;
  sort: Readonly<Record<string, 1 | -1>>;
}

const collection = "run_values";

export function runValueId(runId: string, key: string): string {
  return `${runId}/${key}`;
}

/** What names a value, as an expression over its run. */
export function runValueIdExpression(key: string): object {
  return { $concat: ["$_id", "/", { $literal: key }] };
}

/** The run that has a value. */
export function runIdOf({ _id }: PlacedValue): string {
  return _id.slice(0, _id.indexOf("/"));
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

  /** The first values of a key, in order. */
  async first(
    organisationId: string,
    limit: number,
    { key, pipelineId, range, sort }: RunValueQuery,
  ): Promise<PlacedValue[]> {
    const [within, hint] =
      pipelineId === undefined ? [{}, "of_organisation"] : [{ pipeline_id: pipelineId }, "of_pipeline"];
    const filter = { ...within, key, ...range };
    return await this.#values.pick(organisationId, filter, ["_id", "value"], { sort, limit, hint });
  }
}
