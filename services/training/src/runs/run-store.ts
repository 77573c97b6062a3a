import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
} from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { Run } from "./run.ts";
import { configurationValues, documentOf, type RunDocument, runOf } from "./run-document.ts";
import { findRuns, type RunListName } from "./run-list.ts";
import { RunValueStore } from "./run-value-store.ts";

const collection = "runs";

/** Runs never change, but for what they are found by. */
export class RunStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "of_pipeline", key: { organisation_id: 1, pipeline_id: 1, created_at: -1, _id: -1 } },
      { name: "of_pipeline_by_name", key: { organisation_id: 1, pipeline_id: 1, name: 1, _id: 1 } },
      { name: "newest", key: { organisation_id: 1, created_at: -1, _id: -1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      { name: "by_state", key: { organisation_id: 1, "job_states.state": 1, created_at: -1, _id: -1 } },
      { name: "by_metric", key: { organisation_id: 1, "metrics.key": 1, "metrics.value": 1, created_at: -1 } },
      {
        name: "by_configuration",
        key: { organisation_id: 1, "configuration.key": 1, "configuration.value": 1, created_at: -1 },
      },
      { name: "index_due", key: { index_due_at: 1 } },
    ],
  };

  readonly #runs: TenantCollection<RunDocument>;
  readonly #values: RunValueStore;

  constructor(store: DocumentStore) {
    this.#runs = new TenantCollection(store, collection);
    this.#values = new RunValueStore(store);
  }

  async insert(organisationId: string, run: Run, session?: ClientSession): Promise<void> {
    const document = documentOf(run);
    await this.#runs.insert(organisationId, document, { session });
    await this.#values.insert(organisationId, configurationValues(document, document.configuration), session);
  }

  async find(organisationId: string, runId: string): Promise<Run | undefined> {
    const found = await this.#runs.findOne(organisationId, { _id: runId });
    return found ? runOf(found) : undefined;
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.count(organisationId, {}, { session });
  }

  /** Bytes of what was declared with all runs, as it is stored. */
  bytes(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.sum(organisationId, {}, { $bsonSize: { name: "$name", jobs: "$jobs" } }, { session });
  }

  /** A page of large runs holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, list: RunListName, request: ListPageRequest): Promise<Page<Run>> {
    const stores = { runs: this.#runs, values: this.#values };
    const { items, nextCursor } = await findRuns(stores, organisationId, { list, request });
    return { items: items.map(runOf), nextCursor };
  }
}
