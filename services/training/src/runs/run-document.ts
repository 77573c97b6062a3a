import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import type { TenantDocument } from "@aiplatform/document-store";
import { type SearchedCollection, type SearchFields, searchFields } from "@aiplatform/search";
import { refsTo, type Thing } from "@aiplatform/service-kit/lineage";
import {
  type IndexedMetric,
  type IndexedValue,
  indexedConfiguration,
  indexedValues,
} from "../indexed-values/indexed-values.ts";
import { isEnded, type JobState } from "../job-log/job-state.ts";
import { bytesOfRun, type JobDeclaration, type Run, type RunDataset, type Tag } from "./run.ts";
import { type RunValue, runValueId } from "./run-value-store.ts";

/** The state of a job as lists find it: a copy of what its log says, at most a moment old. */
export interface ListedJobState {
  name: string;
  state: JobState;
  /** In the job's log. */
  position: number;
}

/** What a run is found by, beside what never changes. Absent in runs of earlier versions until they are indexed. */
export interface RunIndexFields {
  job_states: ListedJobState[];
  configuration: IndexedValue[];
  parameter_values: IndexedValue[];
  metrics: IndexedMetric[];
  /** Every report up to this sequence is in `metrics`. */
  metrics_sequence: number;
  /** When the run is looked at for reports that are not in `metrics`. */
  index_due_at: Date;
}

/** A version of a dataset, as it is stored with its run. */
interface StoredRunDataset {
  name: string;
  dataset_id: string;
  version_id: string;
  number: number;
  content_sha256: string;
  row_count: number;
  size_bytes: number;
}

export interface RunDocument extends TenantDocument, Partial<RunIndexFields>, Partial<SearchFields> {
  pipeline_id: string;
  name: string;
  jobs: JobDeclaration[];
  /** Pairs, because names of tags are no safe field names. Absent in documents of earlier versions, like what follows. */
  tags?: Tag[];
  notes?: string;
  /** JSON text: no key of it is a key here. */
  parameters?: string;
  datasets?: StoredRunDataset[];
  created_at: Date;
  updated_at?: Date;
  /** Absent while it is not archived. */
  archived_at?: Date;
  /** How often a writer claimed it; counted so that writers conflict before they read what they will change. */
  claims?: number;
}

/** What a run is read without: it may be much, and callers see none of it. */
export const withoutIndex = ["job_states", "configuration", "parameter_values", "metrics", "search_words"] as const;

/** `index_due_at` of a run that nothing is missing of. */
export const neverDue = new Date(8_640_000_000_000_000);

/** What a run is found by before anything is reported of it. */
export function initialIndexFields({
  jobs,
  parameters = "{}",
}: Pick<RunDocument, "jobs" | "parameters">): RunIndexFields {
  return {
    job_states: jobs.map(({ name }) => ({ name, state: "queued", position: 0 })),
    configuration: indexedConfiguration(jobs),
    parameter_values: indexedValues(parameters),
    metrics: [],
    metrics_sequence: 0,
    index_due_at: neverDue,
  };
}

/** How runs are searched. */
export const runSearch: SearchedCollection = {
  kind: SearchKind.RUN,
  collection: "runs",
  name: "name",
  texts: ["notes", "tags.value"],
  parameters: { pipeline_id: "pipeline_id", run_id: "_id" },
  orderIndex: "newest",
  unarchived: { archived_at: null },
};

export function documentOf(run: Run): RunDocument & RunIndexFields {
  return {
    _id: run.id,
    organisation_id: run.organisationId,
    pipeline_id: run.pipelineId,
    name: run.name,
    jobs: run.jobs,
    tags: run.tags,
    notes: run.notes,
    parameters: run.parameters,
    ...(run.datasets.length > 0 ? { datasets: run.datasets.map(storedDataset) } : {}),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    ...initialIndexFields(run),
    ...searchFields(runSearch, run),
  };
}

function storedDataset({ name, number, ...dataset }: RunDataset): StoredRunDataset {
  const version = { dataset_id: dataset.datasetId, version_id: dataset.versionId, number };
  const content = { content_sha256: dataset.contentSha256, row_count: dataset.rowCount, size_bytes: dataset.sizeBytes };
  return { name, ...version, ...content };
}

function datasetOf({ name, number, ...stored }: StoredRunDataset): RunDataset {
  const version = { datasetId: stored.dataset_id, versionId: stored.version_id, number };
  const content = { contentSha256: stored.content_sha256, rowCount: stored.row_count, sizeBytes: stored.size_bytes };
  return { name, ...version, ...content };
}

export function runOf(document: RunDocument): Run {
  const { _id: id, organisation_id: organisationId, pipeline_id: pipelineId, name, jobs, archived_at } = document;
  const {
    tags = [],
    notes = "",
    parameters = "{}",
    datasets = [],
    created_at: createdAt,
    updated_at: updatedAt = createdAt,
  } = document;
  const archived = archived_at ? { archivedAt: archived_at } : {};
  const said = { tags, notes, parameters, datasets: datasets.map(datasetOf) };
  return { id, organisationId, pipelineId, name, jobs, ...said, createdAt, updatedAt, ...archived };
}

export function sizeOfRun({ jobs, parameters = "{}", notes = "", tags = [] }: RunDocument): number {
  return bytesOfRun({ jobs, parameters }) + notes.length + JSON.stringify(tags).length;
}

/** The numbers that a run was created with as documents of their own; of a key with several, the first. */
export function declaredValues(
  run: Pick<RunDocument, "_id" | "organisation_id" | "pipeline_id">,
  { configuration, parameter_values: parameters }: Pick<RunIndexFields, "configuration" | "parameter_values">,
): RunValue[] {
  const values = new Map<string, RunValue>();
  for (const [map, each] of Object.entries({ configuration, parameters })) {
    for (const { key, value } of each) {
      const named = valueName(run, `${map}.${key}`);
      if (typeof value === "number" && !values.has(named._id)) values.set(named._id, { ...named, value });
    }
  }
  return [...values.values()];
}

/** What names a value of a run. */
export function valueName(
  { _id, organisation_id, pipeline_id }: Pick<RunDocument, "_id" | "organisation_id" | "pipeline_id">,
  key: string,
): Omit<RunValue, "value"> {
  return { _id: runValueId(_id, key), organisation_id, pipeline_id, run_id: _id, key };
}

/** A run as the lineage has it. */
export function thingOf({
  _id: id,
  pipeline_id: parentId,
  name,
  archived_at,
  job_states: states,
  datasets = [],
}: Pick<RunDocument, "_id" | "pipeline_id" | "name" | "archived_at" | "job_states" | "datasets">): Thing {
  const hasEnded = states?.every(({ state }) => isEnded(state)) ?? false;
  const state = archived_at ? "archived" : hasEnded ? "ended" : "open";
  const read = datasets.map(({ version_id: versionId }) => versionId);
  return { kind: "run", id, parentId, name, state, sources: refsTo("dataset_version", read) };
}
