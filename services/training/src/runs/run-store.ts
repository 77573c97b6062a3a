import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
} from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import { searchFields, searchIndex } from "@aiplatform/search";
import { findLineage, type LineageMatches, type LineageSearch, type Thing } from "@aiplatform/service-kit/lineage";
import { indexedValues } from "../indexed-values/indexed-values.ts";
import { type Run, RunNotFoundError } from "./run.ts";
import {
  declaredValues,
  documentOf,
  type RunDocument,
  runOf,
  runSearch,
  thingOf,
  withoutIndex,
} from "./run-document.ts";
import { findRunIds, findRuns, type RunListBounds, type RunListName, runListBounds } from "./run-list.ts";
import { RunValueStore } from "./run-value-store.ts";

const collection = "runs";

/** Parts of a document that its organisation made. */
const declared = { name: "$name", jobs: "$jobs", tags: "$tags", notes: "$notes", parameters: "$parameters" };

/** Names a run. */
export interface RunAddress {
  runId: string;
  /** The pipeline that it has to belong to; undefined: any. */
  pipelineId?: string | undefined;
}

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
      {
        name: "by_parameter",
        key: { organisation_id: 1, "parameter_values.key": 1, "parameter_values.value": 1, created_at: -1 },
      },
      { name: "by_tag", key: { organisation_id: 1, "tags.name": 1, "tags.value": 1, created_at: -1 } },
      {
        name: "by_dataset_version",
        key: { organisation_id: 1, "datasets.version_id": 1, created_at: -1, _id: -1 },
      },
      { name: "by_archival", key: { organisation_id: 1, archived_at: 1, created_at: -1, _id: -1 } },
      { name: "index_due", key: { index_due_at: 1 } },
      searchIndex,
    ],
  };

  readonly #runs: TenantCollection<RunDocument>;
  readonly #values: RunValueStore;
  readonly #bounds: RunListBounds;

  constructor(store: DocumentStore, bounds: RunListBounds = runListBounds) {
    this.#runs = new TenantCollection(store, collection);
    this.#values = new RunValueStore(store);
    this.#bounds = bounds;
  }

  async insert(organisationId: string, run: Run, session?: ClientSession): Promise<void> {
    const document = documentOf(run);
    await this.#runs.insert(organisationId, document, { session });
    await this.#values.insert(organisationId, declaredValues(document, document), session);
  }

  async find(organisationId: string, runId: string, session?: ClientSession): Promise<Run | undefined> {
    const found = await this.#runs.findOne(organisationId, { _id: runId }, { session, without: withoutIndex });
    return found ? runOf(found) : undefined;
  }

  /** The run, of that pipeline if one is named. @throws RunNotFoundError */
  async get(organisationId: string, { runId, pipelineId }: RunAddress, session?: ClientSession): Promise<Run> {
    const run = await this.find(organisationId, runId, session);
    if (!run || (pipelineId !== undefined && run.pipelineId !== pipelineId)) throw new RunNotFoundError();
    return run;
  }

  /** The run, to write to it: no other transaction that claims or deletes it commits beside this one. @throws RunNotFoundError */
  async claim(organisationId: string, address: RunAddress, session: ClientSession): Promise<Run> {
    await this.#runs.updateOne(organisationId, { _id: address.runId }, { $inc: { claims: 1 } }, { session });
    return this.get(organisationId, address, session);
  }

  /** Stores what may change of a claimed run. */
  async update(organisationId: string, run: Run, session: ClientSession): Promise<void> {
    const { id, name, notes, tags, updatedAt, archivedAt } = run;
    const found = searchFields(runSearch, run);
    const set = {
      name,
      notes,
      tags,
      ...found,
      updated_at: updatedAt,
      ...(archivedAt ? { archived_at: archivedAt } : {}),
    };
    const update = { $set: set, ...(archivedAt ? {} : { $unset: { archived_at: true as const } }) };
    await this.#runs.updateOne(organisationId, { _id: id }, update, { session });
  }

  /** Stores the parameters of a claimed run, and what it is found by of them. */
  async putParameters(organisationId: string, run: Run, session: ClientSession): Promise<void> {
    const { id: _id, pipelineId: pipeline_id, parameters } = run;
    const parameter_values = indexedValues(parameters);
    const set = { parameters, parameter_values };
    await this.#runs.updateOne(organisationId, { _id }, { $set: set }, { session });
    const named = { _id, organisation_id: organisationId, pipeline_id };
    await this.#values.put(declaredValues(named, { configuration: [], parameter_values }), session);
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.count(organisationId, {}, { session });
  }

  /** How many runs the pipeline has. */
  countOf(organisationId: string, pipelineId: string, session: ClientSession): Promise<number> {
    return this.#runs.count(organisationId, { pipeline_id: pipelineId }, { session });
  }

  /** Answers whether there was one. */
  delete(organisationId: string, runId: string, session: ClientSession): Promise<boolean> {
    return this.#runs.deleteOne(organisationId, { _id: runId }, { session });
  }

  /** Bytes of what was declared with all runs and of what people say of them, as they are stored. */
  bytes(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.sum(organisationId, {}, { $bsonSize: declared }, { session });
  }

  /** A page of large runs, or of few among many, holds fewer than asked for, or none. @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    list: RunListName,
    request: ListPageRequest & { limit: number },
  ): Promise<Page<Run>> {
    const stores = { runs: this.#runs, values: this.#values };
    const { items, nextCursor } = await findRuns(stores, organisationId, { list, request, bounds: this.#bounds });
    return { items: items.map(runOf), nextCursor };
  }

  /** What the lineage has of runs. */
  async lineage(search: LineageSearch): Promise<LineageMatches<Thing>> {
    const { ids, sourceIds, knownIds } = search;
    const { things, total } = await findLineage(this.#runs, search, {
      named: { _id: { $in: [...ids] } },
      derived: { "datasets.version_id": { $in: [...sourceIds] }, _id: { $nin: [...knownIds] } },
      only: ["pipeline_id", "name", "archived_at", "job_states.state", "datasets.version_id"],
    });
    return { things: things.map(thingOf), total };
  }

  /** Ids of the runs that a filter finds, newest first, or of the first `limit`. @throws InvalidListRequestError */
  ids(organisationId: string, wanted: { filter: string; limit: number }): Promise<string[]> {
    return findRunIds(this.#runs, organisationId, wanted);
  }
}
