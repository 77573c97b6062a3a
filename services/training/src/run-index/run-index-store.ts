import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  TenantCollection,
  translated,
  withTransaction,
} from "@aiplatform/document-store";
import type { IndexedMetric } from "../indexed-values/indexed-values.ts";
import {
  declaredValues,
  initialIndexFields,
  type ListedJobState,
  neverDue,
  type RunDocument,
  valueName,
} from "../runs/run-document.ts";
import { RunValueStore } from "../runs/run-value-store.ts";

/** Metrics of a run as they are to be found. */
export interface NewMetrics {
  metrics: IndexedMetric[];
  /** Metrics that may have changed. */
  changed: Iterable<string>;
  /** Every report up to this is in them. */
  sequence: number;
}

/** What runs are found by, beside what they were declared with. */
export class RunIndexStore {
  readonly #store: DocumentStore;
  readonly #runs: TenantCollection<RunDocument>;
  readonly #all: Collection<RunDocument>;
  readonly #values: RunValueStore;

  constructor(store: DocumentStore) {
    this.#store = store;
    this.#runs = new TenantCollection(store, "runs");
    this.#all = store.database.collection("runs");
    this.#values = new RunValueStore(store);
  }

  find(organisationId: string, runId: string): Promise<RunDocument | undefined> {
    return this.#runs.findOne(organisationId, { _id: runId });
  }

  /** The metrics that runs are found by, by the runs' ids. */
  async metricsOf(organisationId: string, runIds: readonly string[]): Promise<ReadonlyMap<string, IndexedMetric[]>> {
    const found = await this.#runs.find(organisationId, { _id: { $in: [...runIds] } }, { only: ["metrics"] });
    return new Map(found.map(({ _id, metrics = [] }) => [_id, metrics]));
  }

  /** Has the run looked at then; that of an earlier version is looked at in any case. */
  async mark(organisationId: string, runId: string, dueAt: Date): Promise<void> {
    const filter = { _id: runId, index_due_at: { $exists: true } };
    await this.#runs.updateOne(organisationId, filter, { $set: { index_due_at: dueAt } });
  }

  /** Runs of all organisations that are due. */
  due(now: Date, limit: number): Promise<RunDocument[]> {
    const due = this.#all.find({ index_due_at: { $lte: now } });
    return translated(() => due.limit(limit).toArray());
  }

  /** Runs of all organisations that an earlier version has created. */
  unindexed(limit: number): Promise<RunDocument[]> {
    const unindexed = this.#all.find({ index_due_at: { $exists: false } });
    return translated(() => unindexed.limit(limit).toArray());
  }

  /** Ends a mark, unless there is a newer one. */
  async settle({ organisation_id, _id, index_due_at }: RunDocument): Promise<void> {
    await this.#runs.updateOne(organisation_id, { _id, index_due_at }, { $set: { index_due_at: neverDue } });
  }

  /** Answers whether the run was as it had been read; else nothing is stored. */
  putMetrics(run: RunDocument, { metrics, changed, sequence }: NewMetrics): Promise<boolean> {
    const { _id, organisation_id, metrics_sequence } = run;
    const values = new Map(metrics.map(({ key, value }) => [key, value]));
    const changes = [...changed].map((key) => ({ ...valueName(run, `metrics.${key}`), value: values.get(key) }));
    return withTransaction(this.#store, async (session) => {
      const unchanged = { _id, metrics_sequence };
      const update = { $set: { metrics, metrics_sequence: sequence } };
      const isStored = await this.#runs.updateOne(organisation_id, unchanged, update, { session });
      if (isStored) await this.#values.put(changes, session);
      return isStored;
    });
  }

  /** Gives a run of an earlier version what it is found by. Answers whether it had nothing. */
  adopt(run: RunDocument, jobStates: ListedJobState[], dueAt: Date): Promise<boolean> {
    const { _id, organisation_id } = run;
    const fields = { ...initialIndexFields(run), job_states: jobStates, index_due_at: dueAt };
    return withTransaction(this.#store, async (session: ClientSession) => {
      const without = { _id, index_due_at: { $exists: false } };
      const isStored = await this.#runs.updateOne(organisation_id, without, { $set: fields }, { session });
      if (isStored) await this.#values.put(declaredValues(run, fields), session);
      return isStored;
    });
  }

  /** Stores the state of a job, unless a later one is stored. */
  async putJobState(organisationId: string, runId: string, { name, state, position }: ListedJobState): Promise<void> {
    const filter = { _id: runId, job_states: { $elemMatch: { name, position: { $lt: position } } } };
    const update = { $set: { "job_states.$.state": state, "job_states.$.position": position } };
    await this.#runs.updateOne(organisationId, filter, update);
  }
}
